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

  /// Splits text at hashtags, mentions and `{link}`, which it replaces with the result of `link`. `#` and `@` are recognised at the start
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
