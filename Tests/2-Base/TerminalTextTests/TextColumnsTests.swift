import TerminalText
import Testing

@Suite struct TextColumnsTests {
  @Test(
    "text is cut by columns, and ends with an ellipsis if it was cut",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
      ("a日", 2, "a…"), ("abc", 1, "…"), ("", 1, ""),
    ])
  func cut(text: String, columns: Int, expected: String) {
    let cut = StyledText(text).cut(to: columns)
    #expect(cut.plainText == expected)
    #expect(cut.columns <= columns)
  }

  @Test("a cut text keeps the styles of its parts")
  func styles() {
    let text = StyledText("good", .good) + StyledText(" and bad", .bad)
    #expect(
      String(decoding: text.cut(to: 9).rendered(for: TerminalForm(isColoured: true)).bytes, as: UTF8.self)
        == "\u{1b}[32mgood\u{1b}[0m\u{1b}[31m and…\u{1b}[0m")
  }

  @Test("padding counts columns instead of characters")
  func padding() {
    #expect(TextColumns.padded("日本", to: 6) == "日本  ")
    #expect(TextColumns.padded("abc", to: 2) == "abc")
  }
}
