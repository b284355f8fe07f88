/// Compares a draft with the post that a server has published.
package struct PostComparison: Sendable {
  private let draft: PostDraft
  /// The id of the post that the draft should reply to.
  private let replyTo: String?

  package init(_ draft: PostDraft, replyTo: String?) {
    self.draft = draft
    self.replyTo = replyTo
  }

  /// Returns the differences, each as a sentence without a full stop; empty if there are none.
  package func differences(in post: SentPost) -> [String] {
    var differences = essentialDifferences(in: post)
    guard let details = post.details else { return differences }
    if let warning = draft.warning, Self.essence(of: details.warning) != Self.essence(of: warning) {
      differences.append("the content warning is \(details.warning.isEmpty ? "missing" : "different")")
    }
    if let language = draft.language, Self.primary(language) != details.language.map(Self.primary) {
      differences.append("the language is \(details.language ?? "not set") instead of \(language)")
    }
    if details.fileCount < draft.media.count {
      differences.append("the post has \(details.fileCount) instead of \(draft.media.count) files")
    }
    return differences
  }

  /// Returns the primary subtag of a language tag (RFC 5646 §2.2.1), because servers leave out the others.
  private static func primary(_ tag: String) -> String {
    String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased()
  }

  /// Returns the differences in the properties by which a post is recognised.
  private func essentialDifferences(in post: SentPost) -> [String] {
    var differences: [String] = []
    if !hasSameText(post) { differences.append("the server changed the text") }
    if let wanted = draft.visibility, let visibility = post.visibility, visibility != wanted {
      differences.append("the visibility is \(visibility.rawValue) instead of \(wanted.rawValue)")
    }
    if post.replyTo != replyTo {
      differences.append(replyTo == nil ? "the post is a reply" : "the post is not a reply to \(replyTo ?? "")")
    }
    return differences
  }

  package func hasSameText(_ post: SentPost) -> Bool {
    let wanted = Self.essence(of: draft.text)
    if Self.essence(of: post.text) == wanted { return true }
    guard draft.replyTo != nil else { return false }
    // X begins a reply with mentions of the other users in the thread.
    var parts = post.text.split(whereSeparator: \.isWhitespace)[...]
    while parts.first?.first == "@" {
      parts.removeFirst()
      if Self.essence(of: parts.joined(separator: " ")) == wanted { return true }
    }
    return false
  }

  /// Looks for the post among the user's newest posts.
  ///
  /// The post is found only if exactly one post on the server has the text, visibility and reply target that homeline sent, and did not
  /// exist before the first attempt.
  /// - Parameters:
  ///   - knownBefore: the ids of the posts that existed before the first attempt; `nil` if they are unknown.
  ///   - claimed: the ids of the posts that belong to other intents.
  package func lookUp(
    among posts: [SentPost], knownBefore: Set<String>?, claimed: Set<String>
  ) -> LookUpResult {
    guard let knownBefore else { return .inconclusive("the earlier posts are unknown, so it cannot be recognised") }
    // A text that consists only of links cannot be compared, because servers shorten links.
    guard !Self.essence(of: draft.text).isEmpty else { return .inconclusive("its text is too short to be recognised") }
    let candidates = posts.filter {
      !knownBefore.contains($0.id) && !claimed.contains($0.id) && essentialDifferences(in: $0).isEmpty
    }
    switch candidates.count {
    case 0: return .inconclusive("it is not among the user's newest posts")
    case 1: return .found(candidates[0])
    default: return .inconclusive("several of the user's posts have its text")
    }
  }

  /// Returns the text without white space, links and the servers of mentioned users, because servers change these.
  static func essence(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).map { word in isLink(word) ? "" : withoutMentionedServer(word) }.joined()
  }

  private static func isLink(_ word: Substring) -> Bool {
    if word.contains("://") { return true }
    let host = word.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let labels = host.split(separator: ".", omittingEmptySubsequences: true)
    guard labels.count > 1, let last = labels.last, last.utf8.count > 1 else { return false }
    return labels.allSatisfy { $0.utf8.allSatisfy(isPartOfHost) } && last.allSatisfy(\.isLetter)
  }

  private static func isPartOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Returns `@user` for `@user@server`.
  private static func withoutMentionedServer(_ word: Substring) -> Substring {
    guard let first = word.firstIndex(of: "@"), let second = word[word.index(after: first)...].firstIndex(of: "@")
    else {
      return word
    }
    let rest = word[second...].drop { $0 == "@" || $0 == "." || $0 == ":" || $0.utf8.allSatisfy(isPartOfHost) }
    return word[..<second] + rest
  }
}

/// The outcome of looking for a post.
package enum LookUpResult: Sendable, Hashable {
  case found(SentPost)
  /// The post could not be identified with certainty. It may nevertheless have been published.
  case inconclusive(String)
  /// The user's posts could not be read this time.
  case failed(String)
}
