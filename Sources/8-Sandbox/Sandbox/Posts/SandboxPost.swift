internal import Time

/// A post, independent of the API that returns it.
struct SandboxPost: Sendable {
  /// A picture or video in a post.
  struct Attachment: Sendable {
    let isVideo: Bool
    /// The part of the file's address that identifies it.
    let key: String
    let alternativeText: String?
  }

  /// A reposted or quoted post.
  indirect enum Companion: Sendable {
    case none
    case reposted(SandboxPost)
    /// The associated text is the short link to the quoted post.
    case quoted(SandboxPost, short: String)
  }

  /// A poll that has ended, with two options.
  struct Poll: Sendable {
    let end: Timestamp
    let votes: [Int]
  }

  let id: UInt64
  let createdAt: Timestamp
  let author: Author
  var pieces: [PostPiece]
  /// The post that this one replies to. The text then begins with a mention of that post's author.
  var reply: (id: UInt64, to: Author)?
  var attachments: [Attachment] = []
  var companion = Companion.none
  var isRepost: Bool { if case .reposted = companion { true } else { false } }

  /// Returns whether this is a repost of a post.
  func reposts(_ post: SandboxPost) -> Bool {
    if case .reposted(let original) = companion { original.id == post.id } else { false }
  }

  /// The post's visibility, in Mastodon's terms.
  var visibility = "public"
  /// The content warning.
  var warning = ""
  /// The language stated when the post was published; `nil` for its author's language.
  var statedLanguage: String?
  var poll: Poll?
  /// The time of the last edit; `nil` if the post has not been edited.
  var editedAt: Timestamp?
  var reposts: Int
  var likes: Int

  var webAddress: String { "https://twitter.com/\(author.screenName)/status/\(id)" }
}
