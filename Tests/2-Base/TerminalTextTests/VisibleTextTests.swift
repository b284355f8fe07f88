import TerminalText
import Testing

@Suite struct VisibleTextTests {
  @Test("control characters and bidirectional controls in text are escaped, and nothing else changes")
  func each() {
    #expect(
      VisibleText.of("\u{1b}]52;c;QUJD\u{7}\r\u{9b}2K\u{7f}\u{202e}\u{2066}x\u{2028}\u{0}")
        == "\\u{1b}]52;c;QUJD\\u{7}\\u{d}\\u{9b}2K\\u{7f}\\u{202e}\\u{2066}x\\u{2028}\\u{0}")
    let plain = "two\nlines\tand “é” 日本語 שלום 👩‍👩‍👧‍👦 \u{a0}\u{200b}"
    #expect(VisibleText.of(plain) == plain)
    #expect(VisibleText.of("") == "")
  }
}
