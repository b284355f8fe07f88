internal import CivilTime

/// A post before it is written in one of the API's two forms.
struct SandboxPost: Sendable {
  /// A picture or film of a post.
  struct Attachment: Sendable {
    let isVideo: Bool
    /// The part of its address that is its own.
    let key: String
    let alternativeText: String?
  }

  /// Another post that goes with it.
  indirect enum Companion: Sendable {
    case none
    case reposted(SandboxPost)
    /// With the short link to it.
    case quoted(SandboxPost, short: String)
  }

  let id: UInt64
  let createdAt: Timestamp
  let author: Author
  var pieces: [PostPiece]
  /// What it answers to; its text then begins with the other's name.
  var reply: (id: UInt64, to: Author)?
  var attachments: [Attachment] = []
  var companion = Companion.none
  var reposts: Int
  var likes: Int

  var webAddress: String { "https://twitter.com/\(author.screenName)/status/\(id)" }
}
