import CPlainRun
import PortablePlainRun
import TestSupport
import Testing

/// Runs of bytes without escapes (Sources/1-C/CPlainRun), for this processor and for processors without SSE2, compared with a simple loop.
@Suite struct PlainRunTests {
  @Test("without SSE2, eight bytes are read at a time")
  func step() { #expect(portable_plain_run_step == 8) }

  @Test("random text has the same runs with and without SSE2")
  func random() {
    // Frequent in random text: bytes that end a run, and bytes that differ from them in one bit.
    let special: [UInt8] = [
      0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7e, 0x7f, 0x80, 0x81, 0x9f, 0xa0, 0xa6, 0xa8, 0xa9, 0xae,
      0xaf, 0xc2, 0xc3, 0xe1, 0xe2, 0xff,
    ]
    var random = SeededGenerator(seed: 17)
    for round in 0..<20_000 {
      let count = Int.random(in: 0...70, using: &random)
      var bytes = [UInt8](repeating: UInt8(ascii: "z"), count: count)
      for _ in 0..<(round % 4) where count > 0 {
        let byte =
          Bool.random(using: &random) ? special.randomElement(using: &random)! : .random(in: 0...255, using: &random)
        bytes[Int.random(in: 0..<count, using: &random)] = byte
      }
      expectRuns(bytes)
    }
  }

  @Test("a byte or invisible character that ends a run is found at every offset", arguments: 0..<34)
  func everyOffset(offset: Int) {
    let characters: [[UInt8]] =
      (UInt8.min...UInt8.max).map { [$0] }
      + ["\u{80}", "\u{9f}", "\u{a0}", "\u{2027}", "\u{2028}", "\u{202e}", "\u{202f}"]
      .map { Array($0.utf8) } + ["\u{2065}", "\u{2066}", "\u{2069}", "\u{206a}"].map { Array($0.utf8) }
    for character in characters {
      let start = [UInt8](repeating: UInt8(ascii: "a"), count: offset) + character
      for rest in [0, 1, 2, 20] { expectRuns(start + [UInt8](repeating: UInt8(ascii: "b"), count: rest)) }
    }
  }

  private func expectRuns(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let plain = bytes.firstIndex(where: Self.needsEscape) ?? bytes.count
    let visible = bytes.indices.first { Self.isInvisible(bytes[$0...]) } ?? bytes.count
    let expected = [plain, visible, min(plain, visible)]
    let native = bytes.withUnsafeBufferPointer {
      [
        plain_run($0.baseAddress, $0.count, nil), visible_run($0.baseAddress, $0.count),
        written_run($0.baseAddress, $0.count),
      ]
    }
    let portable = bytes.withUnsafeBufferPointer {
      [
        portable_plain_run($0.baseAddress, $0.count, nil), portable_visible_run($0.baseAddress, $0.count),
        portable_written_run($0.baseAddress, $0.count),
      ]
    }
    var copy = [UInt8](repeating: 0, count: bytes.count + portable_plain_run_step)
    let copied = portable_plain_run(bytes, bytes.count, &copy)
    let isCopied = copied == plain && copy[..<copied] == bytes[..<copied]
    // An expectation for each text would take several seconds.
    if native != expected || portable != expected || !isCopied {
      Issue.record(
        "\(bytes): \(native) and without SSE2 \(portable), expected \(expected)", sourceLocation: sourceLocation)
    }
  }

  /// Returns whether a byte must be escaped in a string (RFC 8259 §7).
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Returns whether the bytes begin with a character that JSON output escapes although RFC 8259 does not require it.
  private static func isInvisible(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = Array(bytes.prefix(3))
    switch start[0] {
    case 0x7f: return true
    case 0xc2: return start.count >= 2 && start[1] <= 0x9f
    case 0xe2 where start.count == 3:
      return start[1] == 0x80 && (0xa8...0xae).contains(start[2])
        || start[1] == 0x81 && (0xa6...0xa9).contains(start[2])
    default: return false
    }
  }
}
