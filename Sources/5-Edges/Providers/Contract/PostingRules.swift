package import Posting

/// A server's rules for posts.
package struct PostingRules: Sendable, Hashable {
  /// How long the server remembers an idempotency key; `nil` if it ignores keys.
  var keyLifetime: Duration?
  /// The visibilities that the server honours. It would silently replace any other.
  var visibilities: Set<PostVisibility>
  /// Whether the server keeps content warnings.
  var hasWarnings: Bool
  /// Whether the server keeps the language of a post.
  var hasLanguages: Bool
  /// Whether the server's software is known. Unknown software may keep more than these rules promise.
  var isKnown: Bool
  /// The server's name, for messages.
  var server: String
  /// Texts that the server would interpret as something other than a post.
  var refusedTexts: Set<String>
  /// The server's rule for measuring and limiting the length of a post; `nil` if unknown: only the server can then decide.
  var length: LengthRule?
  /// The rules for files; `nil` if homeline cannot attach files to posts on this server.
  package var media: MediaRules?
  /// Whether a post with files must also have text.
  var requiresText: Bool
  /// Whether the server publishes a reply to a missing post as a separate post, instead of refusing it.
  package var ignoresUnknownReplyTargets: Bool

  package init(
    keyLifetime: Duration?, visibilities: Set<PostVisibility>, hasWarnings: Bool, hasLanguages: Bool? = nil,
    isKnown: Bool = true, server: String,
    refusedTexts: Set<String> = [], length: LengthRule? = nil, media: MediaRules? = nil, requiresText: Bool = true,
    ignoresUnknownReplyTargets: Bool = false
  ) {
    self.ignoresUnknownReplyTargets = ignoresUnknownReplyTargets
    self.refusedTexts = refusedTexts
    self.length = length
    self.media = media
    self.requiresText = requiresText
    self.keyLifetime = keyLifetime
    self.visibilities = visibilities
    self.hasWarnings = hasWarnings
    self.hasLanguages = hasLanguages ?? hasWarnings
    self.isKnown = isKnown
    self.server = server
  }

  /// Returns how the outcome of a post is determined on this server.
  /// - Parameter knownBefore: the ids of the user's newest posts; `nil` if they could not be read.
  package func settlement(knownBefore: Set<String>?) -> PostSettlement {
    keyLifetime.map { .sameKey(for: $0, knownBefore: knownBefore) } ?? .lookUp(knownBefore: knownBefore)
  }

  /// Returns the reason the server would not publish the post as intended; `nil` if none is known.
  package func objection(to draft: PostDraft) -> String? {
    if let objection = isKnown ? loss(of: draft) : doubt(about: draft) { return objection }
    if refusedTexts.contains(draft.text) { return "\(server) cannot publish the text \(draft.text)" }
    if draft.text.allSatisfy(\.isWhitespace), requiresText {
      return "\(server) requires text in addition to the files"
    }
    if !draft.media.isEmpty {
      guard let media else { return "homeline cannot attach files to a post on this server" }
      if let objection = media.objection(to: draft.media, server: server) { return objection }
    }
    return length(of: draft)?.problem
  }

  /// Returns what the server would silently ignore or replace; `nil` if it keeps everything.
  private func loss(of draft: PostDraft) -> String? {
    if let visibility = draft.visibility, !visibilities.contains(visibility) {
      let others = PostVisibility.allCases.filter(visibilities.contains).map(\.rawValue)
      return "\(server) does not support the visibility \(visibility.rawValue)"
        + (others.isEmpty ? "; omit --visibility" : "; it supports \(others.joined(separator: ", "))")
    }
    if draft.warning != nil, !hasWarnings { return "\(server) does not support content warnings; omit --warning" }
    if draft.language != nil, !hasLanguages { return "\(server) does not support post languages; omit --language" }
    return nil
  }

  /// Returns what unknown software might ignore or replace; `nil` if there is nothing, or the user has agreed to it.
  package func doubt(about draft: PostDraft) -> String? {
    guard !isKnown, !draft.trustsServer else { return nil }
    var parts: [String] = []
    if let visibility = draft.visibility, !visibilities.contains(visibility) {
      parts.append("the visibility \(visibility.rawValue)")
    }
    if draft.warning != nil, !hasWarnings { parts.append("the content warning") }
    if draft.language != nil, !hasLanguages { parts.append("the language") }
    guard !parts.isEmpty else { return nil }
    let risk = draft.visibility.map { visibilities.contains($0) } ?? true ? "" : ", or publishes the post for everyone"
    return "homeline does not know whether \(server) keeps \(parts.joined(separator: " and "))\(risk); "
      + "to publish the post anyway, add --trust-server"
  }

  /// Returns a post's length, as the server measures it; `nil` if the server's rule is unknown.
  package func length(of draft: PostDraft) -> TextLength? {
    length?.length(of: draft.text, warning: draft.warning ?? "")
  }
}
