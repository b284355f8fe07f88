internal import TestSupport

/// Words of no language, of which some are far more common than others, as in any (Zipf's law).
struct SyntheticWords {
  /// The commonest first.
  private let vocabulary: [String]

  init() {
    var random = SeededGenerator(seed: 1)
    var seen: Set<String> = []
    var words: [String] = []
    while words.count < 30_000 {
      // The common ones are short.
      let syllables = words.count < 200 ? 1...2 : 2...4
      let word = (0..<Int.random(in: syllables, using: &random)).map { _ in Self.syllable(using: &random) }.joined()
      if seen.insert(word).inserted { words.append(word) }
    }
    vocabulary = words
  }

  /// The word that is the so-and-so-many-th commonest, from 0.
  func word(_ rank: Int) -> String { vocabulary[rank] }

  func sentence(_ count: Int, using random: inout SeededGenerator) -> String {
    (0..<count).map { _ in vocabulary[Self.rank(below: vocabulary.count, using: &random)] }.joined(separator: " ")
  }

  /// The same for the same seed.
  func sentence(_ count: Int, of seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed)
    return sentence(count, using: &random)
  }

  /// Han characters without a space between them.
  func characters(_ count: Int, using random: inout SeededGenerator) -> String {
    String((0..<count).map { _ in Self.character(Self.rank(below: 2000, using: &random)) })
  }

  static func character(_ rank: Int) -> Character { Character(Unicode.Scalar(0x4e00 + UInt32(rank))!) }

  /// A number of which n is about n times as rare as 1.
  static func rank(below count: Int, using random: inout SeededGenerator) -> Int {
    // Each power of two is as likely as any other, and the numbers below it are too: no logarithm is needed.
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
