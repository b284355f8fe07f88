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

/// A part of a post's text: what the API marks with an entity, and what stands between.
enum PostPiece: Sendable {
  /// Not escaped yet.
  case plain(String)
  /// Without its `#`.
  case hashtag(String)
  case mention(Author)
  case link(short: String, expanded: String)
  /// The short link that stands for the post's media.
  case media(short: String)

  /// Takes a text apart: `#word` and `@name` where a word may begin, and `{link}`, which is handed out by `link`.
  static func parse(_ text: String, link: () -> PostPiece) -> [PostPiece] {
    var pieces: [PostPiece] = []
    var plain = ""
    var rest = text[...]
    func flush() {
      if !plain.isEmpty { pieces.append(.plain(plain)) }
      plain = ""
    }
    while let letter = rest.first {
      if rest.hasPrefix("{link}") {
        flush()
        pieces.append(link())
        rest = rest.dropFirst("{link}".count)
        continue
      }
      let word = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let beginsWord = plain.last.map { !$0.isLetter && !$0.isNumber || $0 == "。" } ?? true
      if letter == "#", beginsWord, !word.isEmpty {
        flush()
        pieces.append(.hashtag(String(word)))
        rest = rest[word.endIndex...]
      } else if letter == "@", beginsWord, let author = Author.named(word) {
        flush()
        pieces.append(.mention(author))
        rest = rest[word.endIndex...]
      } else {
        plain.append(letter)
        rest = rest.dropFirst()
      }
    }
    flush()
    return pieces
  }
}

/// A post as it stands in the timeline of the API v2: the first version, or a later one under an id of its own.
struct PostVersion: Sendable {
  let id: UInt64
  let post: SandboxPost

  /// The ids of all versions, the first one first.
  var history: [UInt64] { id == post.id ? [id] : [post.id, id] }

  /// The text, by which a later version can be told from the first one.
  var pieces: [PostPiece] { id == post.id ? post.pieces : [.plain("Edited: ")] + post.pieces }
}
