internal import TestSupport

/// The text of a post and its entities. Positions count Unicode scalars, as in the API.
struct MadeUpText {
  struct Link {
    let short: String
    let whole: String
    let range: Range<Int>
  }

  private(set) var whole = ""
  private(set) var hashtags: [(text: String, range: Range<Int>)] = []
  private(set) var mentions: [(user: Int, range: Range<Int>)] = []
  private(set) var links: [Link] = []
  /// The link at the end of the text that represents the pictures.
  private(set) var pictures: Link?
  private(set) var count = 0

  private static let emoji = ["😀", "🎉", "👍🏽", "👩‍💻", "🇯🇵", "❤️", "🔥", "✨", "🚆", "☕"]

  init(_ words: SyntheticWords, isJapanese: Bool, hasPictures: Bool, using random: inout SeededGenerator) {
    for _ in 0..<[0, 0, 1, 2].randomElement(using: &random)! {
      let user = Int.random(in: 0..<MadeUpPost.users, using: &random)
      mentions.append((user, append("@\(MadeUpUser(user).screenName)")))
      append(" ")
    }
    let length = 4 + Int.random(in: 0..<40, using: &random)
    append(isJapanese ? words.characters(length, using: &random) + "。" : words.sentence(length, using: &random))
    // The text is escaped as in the API.
    if Int.random(in: 0..<8, using: &random) == 0 { append(" &amp; ") }
    if Int.random(in: 0..<10, using: &random) < 4 { append(" " + Self.emoji.randomElement(using: &random)!) }
    if Int.random(in: 0..<5, using: &random) == 0 {
      append(" ")
      let word = words.sentence(1, using: &random)
      hashtags.append((word, append("#" + word)))
    }
    if Int.random(in: 0..<10, using: &random) < 4 {
      let page = "https://example.com/articles/\(Int.random(in: 0..<1_000_000, using: &random))/\(words.word(200))"
      links.append(link(to: page, using: &random))
    }
    if hasPictures { pictures = link(to: "", using: &random) }
  }

  @discardableResult
  private mutating func append(_ text: String) -> Range<Int> {
    let begin = count
    whole += text
    count += text.unicodeScalars.count
    return begin..<count
  }

  private mutating func link(to whole: String, using random: inout SeededGenerator) -> Link {
    append(" ")
    let short = "https://t.co/\(MadeUpPost.letters(10, using: &random))"
    return Link(short: short, whole: whole, range: append(short))
  }
}
