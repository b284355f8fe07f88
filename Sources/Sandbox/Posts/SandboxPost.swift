internal import CivilTime

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

  let id: UInt64
  let createdAt: Timestamp
  let author: Author
  var pieces: [PostPiece]
  /// The post that this one replies to. The text then begins with a mention of that post's author.
  var reply: (id: UInt64, to: Author)?
  var attachments: [Attachment] = []
  var companion = Companion.none
  /// The post's visibility, in Mastodon's terms.
  var visibility = "public"
  /// The content warning.
  var warning = ""
  /// The language stated when the post was published; `nil` for its author's language.
  var statedLanguage: String?
  var reposts: Int
  var likes: Int

  var webAddress: String { "https://twitter.com/\(author.screenName)/status/\(id)" }
}

/// A part of a post's text: an entity, or plain text between entities.
enum PostPiece: Sendable {
  /// Plain text, not escaped.
  case plain(String)
  /// A hashtag without its `#`.
  case hashtag(String)
  case mention(Author)
  case link(short: String, expanded: String)
  /// The short link that represents the post's media.
  case media(short: String)

  /// The text as its author wrote it, with the targets of links.
  var text: String {
    switch self {
    case .plain(let text): text
    case .hashtag(let word): "#\(word)"
    case .mention(let author): "@\(author.screenName)"
    case .link(_, let expanded): expanded
    case .media: ""
    }
  }

  /// Splits a text at hashtags, mentions and `{link}`, which it replaces with the result of `link`. `#` and `@` are recognised at the start
  /// of a word.
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

/// A version of a post on the v2 API timeline: the original, or an edited one with its own id.
struct PostVersion: Sendable {
  let id: UInt64
  let post: SandboxPost

  /// The ids of all versions, oldest first.
  var history: [UInt64] { id == post.id ? [id] : [post.id, id] }

  /// The text, which differs between versions.
  var pieces: [PostPiece] { id == post.id ? post.pieces : [.plain("Edited: ")] + post.pieces }
}

/// Posts that are edited. The edited version has its own id.
struct PostEdits: Sendable {
  /// The interval of edited posts: every Nth post is edited; 1 or more.
  let every: Int
  /// The time between the original and the edit; at most 30 minutes on X.
  let after: Duration
}

/// Posts that appear late, below newer posts. A client that only uses `since_id` never receives them.
struct LatePosts: Sendable {
  /// The interval of late posts: every Nth post is late; 1 or more.
  let every: Int
  let by: Duration
}
