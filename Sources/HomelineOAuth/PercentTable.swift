/// The percent-encoded form of each byte (RFC 5849 §3.6), to be looked up whole: one load and one store a byte, and no branch.
///
/// Signing looks up every byte of a request, so this reads through pointers: with checked arrays it costs twice as many instructions.
// Sendable because the words are written before anybody has them, and never again.
@safe struct PercentTable: @unchecked Sendable {
  /// Each byte encoded: one byte, or three.
  static let once = PercentTable(escapedBy: Array("%".utf8))

  /// Each byte encoded, and what that gives encoded again, as the base string has its parameters: one byte, or five.
  static let twice = PercentTable(escapedBy: Array("%25".utf8))

  /// What is encoded as itself (§3.6).
  static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

  /// How many bytes one byte becomes at most.
  static let growth = 5
  /// How many bytes behind the last one are written to, with nothing that counts.
  static let overrun = 8

  // Up to five bytes to write, the first lowest, and their number in the highest byte. Never freed: both tables are there to the end.
  private let words: UnsafePointer<UInt64>

  private init(escapedBy escape: [UInt8]) {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max {
      unsafe (words + Int(byte)).initialize(to: Self.word(escape + [Self.digit(byte >> 4), Self.digit(byte & 0x0F)]))
    }
    for byte in Self.unreserved.utf8 { unsafe words[Int(byte)] = Self.word([byte]) }
    unsafe self.words = UnsafePointer(words)
  }

  private static func word(_ letters: [UInt8]) -> UInt64 {
    letters.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } | UInt64(letters.count) << 56
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Whether the byte is encoded as itself.
  @inline(__always)
  func keeps(_ byte: UInt8) -> Bool { unsafe words[Int(byte)] >> 56 == 1 }

  /// Whether all of them are.
  @inline(__always)
  func keeps(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var longest: UInt64 = 0
    for index in bytes.indices { longest |= unsafe words[Int(bytes[index])] >> 56 }
    return longest <= 1
  }

  /// Where a byte stands among encoded ones: all that are escaped begin with `%` and come before all that are not.
  @inline(__always)
  func rank(_ byte: UInt8) -> Int { Int(byte) | (keeps(byte) ? 0x100 : 0) }

  /// Writes the encoded bytes. There must be room for ``growth`` times as many, and for the ``overrun``.
  ///
  /// - Returns: the place behind them.
  @inline(__always)
  func write(_ bytes: UnsafeBufferPointer<UInt8>, to start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  {
    var place = UnsafeMutableRawPointer(start)
    for index in bytes.indices {
      let word = unsafe words[Int(bytes[index])]
      unsafe place.storeBytes(of: word.littleEndian, as: UInt64.self)
      unsafe place += Int(word >> 56)
    }
    return unsafe place.assumingMemoryBound(to: UInt8.self)
  }
}
