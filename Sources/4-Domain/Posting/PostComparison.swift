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

  /// Returns the differences in the properties that a post is recognised by.
  private func essentialDifferences(in post: SentPost) -> [String] {
    var differences: [String] = []
    if !hasSameText(post) { differences.append("the server changed the text") }
    if let wanted = draft.visibility, let visibility = post.visibility, visibility != wanted {
      differences.append(
        visibility.isWider(than: wanted)
          ? "published for \(visibility.audience) instead of \(wanted.audience); to take it back: homeline delete \(post.id)"
          : "the visibility is \(visibility.rawValue) instead of \(wanted.rawValue)")
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

  /// Whether the text contains anything but links to compare.
  var isDistinct: Bool { !Self.essence(of: draft.text).isEmpty }

  /// Returns whether a post has the properties that identify the draft.
  func isSame(_ post: SentPost) -> Bool { essentialDifferences(in: post).isEmpty }

  /// Returns whether two drafts cannot be distinguished by their text.
  static func haveSameText(_ left: PostDraft, _ right: PostDraft) -> Bool {
    essence(of: left.text) == essence(of: right.text)
  }

  /// Returns the text without white space, links and the servers of mentioned users, because servers change these.
  static func essence(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).map { word in
      if let scheme = word.firstRange(of: "://") {
        // In Chinese, a link can directly follow a word.
        return String(word[..<scheme.lowerBound].reversed().drop { $0.isASCII && $0.isLetter }.reversed())
      }
      return isLink(word) ? "" : String(withoutMentionedServer(word))
    }.joined()
  }

  /// Returns whether a word is a link without a scheme.
  private static func isLink(_ word: Substring) -> Bool {
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
