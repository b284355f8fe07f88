/// Random numbers that depend only on their seed (SplitMix64).
struct SeededRandom: Sendable {
  private var state: UInt64

  init(_ seed: UInt64, _ index: UInt64) {
    state = seed
    stir(index)
  }

  /// Mixes another value into the seed.
  mutating func stir(_ value: UInt64) { state = next() ^ (value &* 0xd6e8_feb8_6659_fd93) }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// Returns a number from 0 up to, but not including, `bound`.
  mutating func roll(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }

  /// Returns random letters and digits, as in short links and file names.
  mutating func letters(_ count: Int) -> String {
    let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789".utf8)
    return String(decoding: (0..<count).map { _ in pick(alphabet) }, as: UTF8.self)
  }
}
