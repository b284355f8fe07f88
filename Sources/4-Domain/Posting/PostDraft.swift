package import Time

/// The content of a post that a user wants to publish.
package struct PostDraft: Sendable, Hashable {
  package var text: String
  /// The visibility; `nil` for the user's default on the server.
  package var visibility: PostVisibility?
  /// A content warning, which is shown before the text.
  package var warning: String?
  /// The language, as a BCP 47 tag such as `en`.
  package var language: String?
  package var replyTo: ReplyTarget?
  /// The post is not sent before this time.
  package var postAt: Timestamp?
  /// The files, in the order they are shown.
  package var media: [PostMedia]
  /// Whether the user accepts that a server with unknown software may ignore the visibility, the warning or the language.
  package var trustsServer: Bool

  package init(
    text: String, visibility: PostVisibility? = nil, warning: String? = nil, language: String? = nil,
    replyTo: ReplyTarget? = nil, postAt: Timestamp? = nil, media: [PostMedia] = [], trustsServer: Bool = false
  ) {
    self.text = text
    self.visibility = visibility
    self.warning = warning
    self.language = language
    self.replyTo = replyTo
    self.postAt = postAt
    self.media = media
    self.trustsServer = trustsServer
  }

  /// The number of files that have a description.
  package var descriptions: Int { media.count { $0.description != nil } }

  /// The maximum length of a text in bytes. Every known server allows less, and it fits into a control request and a pipe (pipe(7)).
  package static let longestText = 30_000
}
