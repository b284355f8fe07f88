import CPlainRun
import PortablePlainRun
import TestSupport
import Testing

@testable import JSON

/// Skipping in C (Sources/1-C/CPlainRun), for this processor and for processors without SSE2, compared with a reader that reads byte by byte.
@Suite struct JSONSkipTests {
  private static let document = #"""
    {"created_at":"Wed May 14 03:21:43 +0000 2014","id":1500000004273996683,"user":{"name":"\u30b4\ud83c\uddef \"x\"\\",
      "url":null,"protected":false,"entities":{"url":{"urls":[{"url":"https:\/\/t.co\/a","indices":[0,23]}]},"none":{}}},
      "geo":[], "text":"あいう 😀 and a longer text without escapes, so that it needs several steps", "n":[-0.5e+10,0,-1],
      "":true,"id_str":"1500000004273996683","\u0069d":7,"deep":[[[{"a":[{}]}]]],"last":{"id":1}}
    """#

  /// Far from the end of the text, valid values are skipped without the slow path.
  private static let filler = String(repeating: " ", count: 64)

  private func skips(_ bytes: [UInt8], levels: Int) -> [Int] {
    [Int(json_skip(bytes, bytes.count, 0, levels)), Int(portable_json_skip(bytes, bytes.count, 0, levels))]
  }

  @Test("a valid value far from the end is skipped immediately, with and without SSE2")
  func valid() {
    let bytes = Array((Self.document + Self.filler).utf8)
    #expect(skips(bytes, levels: 64) == [Self.document.utf8.count, Self.document.utf8.count])
    #expect(skips(bytes, levels: 7) == [Self.document.utf8.count, Self.document.utf8.count])
    #expect(skips(bytes, levels: 6) == [0, 0])
  }

  @Test("an altered value is skipped only if it is valid, and then to its end")
  func mutated() {
    let whole = Array(Self.document.utf8)
    let bits = Array(#""\{}[],:0123456789-+.eEtfnu/xdD"#.utf8) + [0x00, 0x1f, 0x20, 0x0a, 0x0b, 0x7f, 0x80, 0xe3, 0xff]
    var random = SeededGenerator(seed: 41)
    for round in 0..<6000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bits.randomElement(using: &random)!, at: place)
        case 2: bytes[place] = bits.randomElement(using: &random)!
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      if round % 3 > 0 {
        bytes += Array(Self.filler.utf8)
      } else {
        bytes.removeLast(Int.random(in: 0..<40, using: &random))
      }
      var patient = PatientReader(bytes, maximalDepth: 7)
      let isValid = (try? patient.skip()) != nil
      let isFarFromEnd = bytes.count - patient.offset >= 64
      for skipped in skips(bytes, levels: 7) {
        let isRight = isValid ? skipped == patient.offset || (skipped == 0 && !isFarFromEnd) : skipped == 0
        if !isRight { Issue.record("\(skipped), not \(patient.offset), in \(String(decoding: bytes, as: UTF8.self))") }
      }
    }
  }

  @Test("strings decode the same with and without SSE2, and match the reference parser", arguments: 0..<34)
  func strings(length: Int) throws {
    let plain = String(repeating: "z", count: length)
    let ends = [
      #"\n"#, #"\/\"\\\b\f\r\t"#, #"\u30b4é\u00e9\u0000"#, #"\ud83d\ude00"#, #"\ud83d"#, #"\ud83d\u0041"#,
      #"\ude00\ud83d\ud83d\ude00"#,
      #"\ud83d\n"#,
    ]
    for end in ends {
      for more in ["", plain, plain + end] {
        let content = plain + end + more
        let bytes = Array(("\"" + content + "\"").utf8)
        var patient = PatientReader(bytes)
        let expected = try patient.string()
        for unescape in [json_unescape, portable_json_unescape] {
          var decoded = [UInt8](repeating: 0xaa, count: content.utf8.count + Int(json_unescape_slack))
          let count = bytes.withUnsafeBufferPointer {
            unescape($0.baseAddress! + 1, content.utf8.count, bytes.count - 1, &decoded)
          }
          #expect(decoded[..<Int(count)].elementsEqual(expected.utf8))
        }
        let padded = bytes + Array(Self.filler.utf8)
        #expect(json_string_skip(padded, padded.count, 1) == bytes.count)
        #expect(portable_json_string_skip(padded, padded.count, 1) == bytes.count)
      }
    }
  }
}
