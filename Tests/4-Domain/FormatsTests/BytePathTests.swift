import HTTP
import TestSupport
import Testing

@testable import Formats

/// Functions that scan text by its bytes return the same results as straightforward ones. The random texts consist of
/// parts that such functions could handle wrongly.
struct BytePathTests {
  private static let parts = [
    "the", "it's", "R&D", "<b>", "日本語", "—", "“smart”", "café", "👩‍👩‍👧‍👦", "https://example.com/a?c=1&d=2#frag",
    "http://xn--e1afmkfd.example/wiki/München", "@mira@social.example", "#topic", "＠全角", "＃全角", "…", "\u{0}",
    "\u{7}", "\t", "\n", "\r", "\r\n", "\u{1b}", "\u{1b}[31m", "\u{85}", "\u{90}abc\u{9c}", "\u{9b}1m", "\u{a0}",
    "\u{ad}", "\u{200b}", "\u{200d}", "\u{2027}", "\u{2028}", "\u{202e}", "\u{202f}", "\u{2065}", "\u{2069}",
    "\u{206a}", "\u{feff}", "\u{fffd}", "\u{fffe}", "\u{ffff}", "\u{1fffe}", "&", "<", ">", "\"", "'", "\\", "`", "{",
    "}",
    "|", "^", "[", "]", "(", ")", "%", "%41", "%4", "#", "#1", "＃b＃", "@", "a@b", ":", "://", "http", "https",
    "HTTP://A.B",
    "hTtPs://x", "https://u@h/", "https://h:80/", "https://h:123456/", "http://[::1]:8/", "https://", "xhttp://a.b",
    "éhttp://a.b", ".", ",", "!", "?", "*", "/", "-", "_", "~", " ", "\u{3000}", "\u{301}", "\u{600}", "\u{1100}", "한",
    "Z", "0", "９", "٣", "Ⅷ", "\u{212a}", "ſ", "\u{e000}", "🇩🇪", "\u{10ffff}", "\u{80}", "\u{7f}", "\u{9f}", "h", "H",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...14, using: &generator) {
      if Int.random(in: 0..<5, using: &generator) > 0 {
        text += parts.randomElement(using: &generator)!
      } else {
        text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0..<0xd800, using: &generator))!)
      }
    }
    return text
  }

  /// Compares the bytes, because two different texts can be canonically equivalent.
  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
  }

  @Test(
    "cleaning, escaping and shortening text by its bytes has the same result as by its scalars",
    arguments: [1, 2, 3])
  func texts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let text = Self.text(&generator)
      #expect(SafeText.lines(of: text).map { Array($0.utf8) } == ScalarReference.lines(of: text).map { Array($0.utf8) })
      #expect(Self.isSame(SafeText.line(of: text), ScalarReference.lines(of: text).joined(separator: " ")))
      #expect(Self.isSame(Markup(escaping: text).text, ScalarReference.escaped(text)))
      for characters in [1, 5, 80] {
        #expect(
          Self.isSame(
            ShortLine.of(text, characters: characters), ScalarReference.shortLine(text, characters: characters)))
      }
    }
  }

  @Test("scanning by bytes finds the same addresses, mentions and topics as scanning by scalars", arguments: [4, 5, 6])
  func addresses(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let text = Self.text(&generator)
      #expect(Self.isSame(LinkedText.html(of: text).text, ScalarReference.html(of: text)))
      for address in [text, "https://" + text, "http://a/" + text] {
        #expect(Self.isSame(WebLink(address)?.text, ScalarAddress(address)?.text))
      }
      let line = SafeText.line(of: text)
      #expect(PostStyling.styled(line) == ScalarStyling.styled(line))
    }
  }
}
