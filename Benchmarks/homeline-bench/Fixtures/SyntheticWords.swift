internal import TestSupport

/// Words of a fictional language with realistic frequencies (Zipf's law).
struct SyntheticWords {
  /// The words, the most frequent first.
  private let vocabulary: [String]

  init() {
    var random = SeededGenerator(seed: 1)
    var seen: Set<String> = []
    var words: [String] = []
    while words.count < 30_000 {
      // Frequent words are short.
      let syllables = words.count < 200 ? 1...2 : 2...4
      let word = (0..<Int.random(in: syllables, using: &random)).map { _ in Self.syllable(using: &random) }.joined()
      if seen.insert(word).inserted { words.append(word) }
    }
    vocabulary = words
  }

  /// Returns the word with the given frequency rank, counted from 0.
  func word(_ rank: Int) -> String { vocabulary[rank] }

  func sentence(_ count: Int, using random: inout SeededGenerator) -> String {
    (0..<count).map { _ in vocabulary[Self.rank(below: vocabulary.count, using: &random)] }.joined(separator: " ")
  }

  /// Returns the same text for the same seed.
  func sentence(_ count: Int, of seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed)
    return sentence(count, using: &random)
  }

  /// Returns Han characters without spaces.
  func characters(_ count: Int, using random: inout SeededGenerator) -> String {
    String((0..<count).map { _ in Self.character(Self.rank(below: 2000, using: &random)) })
  }

  static func character(_ rank: Int) -> Character { Character(Unicode.Scalar(0x4e00 + UInt32(rank))!) }

  /// Returns a random number. The number n is about n times as rare as 1.
  static func rank(below count: Int, using random: inout SeededGenerator) -> Int {
    // Every power of two is equally likely, and so are the numbers up to the next power. This method needs no
    // logarithm.
    let halvings = Int.random(in: 0..<(Int.bitWidth - count.leadingZeroBitCount), using: &random)
    let end = max(1, count >> halvings)
    return Int.random(in: 0..<end, using: &random)
  }

  private static func syllable(using random: inout SeededGenerator) -> String {
    let consonants = Array("bdfghklmnprstvwz")
    let vowels = Array("aeiou")
    return String([consonants.randomElement(using: &random)!, vowels.randomElement(using: &random)!])
  }
}
