package import CivilTime

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
  /// The time before which the post is not sent.
  package var postAt: Timestamp?
  /// The files, in the order in which they are shown.
  package var media: [PostMedia]

  package init(
    text: String, visibility: PostVisibility? = nil, warning: String? = nil, language: String? = nil,
    replyTo: ReplyTarget? = nil, postAt: Timestamp? = nil, media: [PostMedia] = []
  ) {
    self.text = text
    self.visibility = visibility
    self.warning = warning
    self.language = language
    self.replyTo = replyTo
    self.postAt = postAt
    self.media = media
  }

  /// The number of files that have a description.
  package var descriptions: Int { media.count { $0.description != nil } }

  /// The maximum length of a text in bytes. Every known server allows less, and it fits into a control request and a pipe (pipe(7)).
  package static let longestText = 30_000
}

/// Who can see a post, in Mastodon's terms.
package enum PostVisibility: String, Sendable, Hashable, CaseIterable {
  case everyone = "public"
  /// Everyone can see the post, but public timelines do not show it.
  case unlisted
  /// Followers only.
  case followers = "private"
  /// Mentioned users only.
  case direct
}

/// The post that a reply answers.
package enum ReplyTarget: Sendable, Hashable {
  /// A post on the server, by its id.
  case post(String)
  /// A post that is still in the outbox.
  case intent(IntentID)
}

/// The id of a post in the outbox: `out-` and ten letters or digits.
package struct IntentID: Sendable, Hashable, CustomStringConvertible {
  package let text: String

  private static let prefix = "out-"
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let length = 10

  /// Reads an id; `nil` for any other text. An id can safely be part of a path.
  package init?(_ text: String) {
    let rest = text.utf8.dropFirst(Self.prefix.utf8.count)
    guard text.hasPrefix(Self.prefix), rest.count == Self.length, rest.allSatisfy({ Self.alphabet.contains($0) })
    else { return nil }
    self.text = text
  }

  /// Creates a random id.
  package init(using generator: inout some RandomNumberGenerator) {
    let letters = (0..<Self.length).map { _ in Self.alphabet[Int.random(in: 0..<32, using: &generator)] }
    text = Self.prefix + String(decoding: letters, as: UTF8.self)
  }

  package var description: String { text }
}

/// The value of `Idempotency-Key`: 128 random bits in hexadecimal. It is never derived from the post, because some servers store a key
/// without its user.
package struct IdempotencyKey: Sendable, Hashable {
  package let text: String

  /// Creates a key from its stored form.
  package init(stored text: String) { self.text = text }

  package init(using generator: inout some RandomNumberGenerator) {
    let digits = String(UInt128.random(in: .min ... .max, using: &generator), radix: 16)
    text = String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }
}
