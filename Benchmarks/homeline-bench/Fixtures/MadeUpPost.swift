internal import TestSupport
internal import Time

/// A generated post, which depends only on its number. About 40% of the posts are in Japanese, 40% are reposts, and 20%
/// quote another post.
struct MadeUpPost {
  let number: Int
  let author: Int
  let text: MadeUpText
  let isJapanese: Bool
  let repostedBy: Int?
  let quotes: Int?
  let responses: Int?
  let pictures: [String]
  let reposts: Int
  let likes: Int

  static let users = 600

  init(_ number: Int, _ words: SyntheticWords) {
    var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: number) &* 7919)
    self.number = number
    author = SyntheticWords.rank(below: Self.users, using: &random)
    isJapanese = Int.random(in: 0..<100, using: &random) < 45
    repostedBy = Int.random(in: 0..<100, using: &random) < 42 ? Int.random(in: 0..<Self.users, using: &random) : nil
    quotes = Int.random(in: 0..<100, using: &random) < 22 ? Int.random(in: 1..<1_000_000, using: &random) : nil
    responses = Int.random(in: 0..<5, using: &random) == 0 ? number - Int.random(in: 1..<500, using: &random) : nil
    let count = [0, 0, 1, 1, 1, 2, 3].randomElement(using: &random)!
    pictures = (0..<count).map { _ in "https://pbs.twimg.com/media/\(Self.letters(15, using: &random)).jpg" }
    text = MadeUpText(words, isJapanese: isJapanese, hasPictures: !pictures.isEmpty, using: &random)
    // Most posts have few likes.
    likes = SyntheticWords.rank(below: 1000, using: &random)
    reposts = SyntheticWords.rank(below: 300, using: &random)
  }

  var id: Int { Self.id(number) }
  var createdAt: Timestamp { Timestamp(seconds: 1_400_000_000 + Int64(number) * 37) }

  /// Returns the id of a post. Ids increase with time and have realistic low bits.
  static func id(_ number: Int) -> Int {
    1_500_000_000_000_000_000 + number * 4_194_304 + (number &* 2_654_435_761) & 4095
  }

  static func letters(_ count: Int, using random: inout SeededGenerator) -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789")
    return String((0..<count).map { _ in letters.randomElement(using: &random)! })
  }
}
