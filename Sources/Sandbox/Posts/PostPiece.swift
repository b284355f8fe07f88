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
