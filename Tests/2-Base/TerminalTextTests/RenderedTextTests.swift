import TerminalText
import Testing

/// Text that may contain control sequences, and text that must not.
@Suite struct RenderedTextTests {
  private static let hostile = "a\u{1b}[31mb\u{9b}2K\u{202e}"
  private static let escaped = "a\\u{1b}[31mb\\u{9b}2K\\u{202e}"

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("a string in rendered text is escaped, and the program's own control sequences are not")
  func rendered() {
    var rendered = RenderedText(Self.hostile)
    rendered.append(ControlSequence.rendition([1, 36]))
    rendered.append(Self.hostile)
    rendered.append(ControlSequence.rendition([]))
    #expect(text(rendered.bytes) == "\(Self.escaped)\u{1b}[1;36m\(Self.escaped)\u{1b}[0m")
  }

  @Test("styled text is escaped, regardless of its style")
  func styled() {
    let styled = StyledText(Self.hostile, .strong).rendered(for: TerminalForm(isColoured: true))
    #expect(text(styled.bytes) == "\u{1b}[1m\(Self.escaped)\u{1b}[0m")
  }

  @Test("the target of a link consists of printable ASCII characters, which cannot end the link")
  func targets() {
    #expect(LinkTarget(encoded: "https://a.example/%1B") != nil)
    for address in ["https://a.example/\u{1b}\\", "https://a.example/\u{7}", "https://a.example/ä", "https://a b"] {
      #expect(LinkTarget(encoded: address) == nil)
    }
  }

  @Test("plain output is escaped, and coloured output is written as it is")
  func output() {
    let coloured = StyledText("post", .strong).rendered(for: TerminalForm(isColoured: true))
    for isTerminal in [false, true] {
      let plain = ProgramOutput.plain(Self.hostile).bytes(isTerminal: isTerminal, columns: isTerminal ? 80 : nil)
      #expect(text(plain) == Self.escaped)
      let rendered = ProgramOutput.rendered(coloured).bytes(isTerminal: isTerminal, columns: 3)
      #expect(text(rendered) == "\u{1b}[1mpost\u{1b}[0m")
    }
  }

  @Test("data reaches a pipe unchanged, and a terminal without control characters")
  func data() {
    let data = ProgramOutput.data(OutputData(table: Array("\(Self.hostile),x\r\n".utf8)))
    #expect(text(data.bytes(isTerminal: false, columns: nil)) == "\(Self.hostile),x\r\n")
    #expect(text(data.bytes(isTerminal: true, columns: 80)) == "\(Self.escaped),x\n")
  }
}
