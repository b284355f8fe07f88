/// A post's text as the API sends it, with the ranges of its entities.
///
/// The text is HTML-escaped. Ranges count code points in the escaped text.
struct PostText: Sendable {
  enum Entity: Sendable {
    case hashtag(String)
    case mention(Author)
    case link(short: String, expanded: String)
    case media(short: String)
  }

  /// The maximum length of the compatible form, and of a repost's own text.
  static let compatibleLength = 140

  private(set) var text = ""
  /// The length in code points.
  private(set) var length = 0
  private(set) var entities: [(entity: Entity, range: Range<Int>)] = []
  private(set) var isCut = false

  /// Creates the whole text.
  init(_ pieces: [PostPiece]) {
    for piece in pieces { append(piece) }
  }

  /// Creates text. If it exceeds the limit, it is truncated and followed by `…` and `tail`. Entities and characters are never split.
  init(_ pieces: [PostPiece], limit: Int, tail: PostPiece? = nil) {
    let whole = PostText(pieces)
    guard whole.length > limit else {
      self = whole
      return
    }
    let end = PostText([.plain("…")] + (tail.map { [.plain(" "), $0] } ?? []))
    isCut = true
    fill: for piece in pieces {
      guard case .plain(let text) = piece else {
        guard length + PostText([piece]).length + end.length <= limit else { break fill }
        append(piece)
        continue
      }
      for character in text {
        let part = PostPiece.plain(String(character))
        guard length + PostText([part]).length + end.length <= limit else { break fill }
        append(part)
      }
    }
    append(.plain("…"))
    if let tail {
      append(.plain(" "))
      append(tail)
    }
  }

  /// The text as its author typed it.
  var unescaped: String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  private mutating func append(_ piece: PostPiece) {
    switch piece {
    case .plain(let text): append(text)
    case .hashtag(let word): append("#\(word)", as: .hashtag(word))
    case .mention(let author): append("@\(author.screenName)", as: .mention(author))
    case .link(let short, let expanded): append(short, as: .link(short: short, expanded: expanded))
    case .media(let short): append(short, as: .media(short: short))
    }
  }

  private mutating func append(_ part: String, as entity: Entity? = nil) {
    let start = length
    for scalar in part.unicodeScalars {
      switch scalar {
      case "&": append(escape: "&amp;")
      case "<": append(escape: "&lt;")
      case ">": append(escape: "&gt;")
      default:
        text.unicodeScalars.append(scalar)
        length += 1
      }
    }
    if let entity { entities.append((entity, start..<length)) }
  }

  private mutating func append(escape: String) {
    text += escape
    length += escape.utf8.count
  }
}
