import TerminalText
import Testing
import Timeline

@testable import Formats

/// Hyperlinks and colours in posts on a terminal.
@Suite struct TerminalLinkTests {
  private func text(_ text: String, _ form: TerminalForm) -> String {
    var post = Samples.small
    post.text = text
    return PlainText(at: Samples.time, form: form).string(of: post)
  }

  private func linked(_ text: String, columns: Int? = nil) -> String {
    self.text(text, TerminalForm(columns: columns, hasLinks: true))
  }

  @Test("an address in text is a hyperlink (OSC 8) that ends before the text continues")
  func link() {
    let text = linked("see https://example.org/a?b=c, and go on")
    let opening = "\u{1b}]8;id="
    #expect(text.contains(opening))
    #expect(text.contains(";https://example.org/a?b=c\u{1b}\\https://example.org/a?b=c\u{1b}]8;;\u{1b}\\, and go on"))
  }

  @Test("an address that is wider than the terminal is a single hyperlink on its own line")
  func wide() {
    let address = "https://example.org/" + String(repeating: "a", count: 50)
    let lines = linked("see \(address), and go on with the text", columns: 30).split(separator: "\n")
    #expect(lines.dropFirst().first == "  see")
    let line = lines.dropFirst(2).first ?? ""
    #expect(line.hasPrefix("  \u{1b}]8;id=") && line.hasSuffix("\(address)\u{1b}]8;;\u{1b}\\,"), "\(line)")
    #expect(lines.last == "  and go on with the text")
  }

  @Test("characters not allowed in a URL are encoded in a hyperlink's target but shown unchanged")
  func encoded() {
    #expect(linked("https://example.org/ä").contains(";https://example.org/%C3%A4\u{1b}\\https://example.org/ä\u{1b}]"))
  }

  @Test(
    "only web addresses become hyperlinks on a terminal",
    arguments: [
      "javascript:alert(1)", "file:///etc/passwd", "https://user@example.org/", "mailto:a@example.org", "https://",
      "https://" + String(repeating: "a", count: 60) + "/" + String(repeating: "b", count: 3000),
    ])
  func noLinks(address: String) { #expect(!linked(address).contains("\u{1b}")) }

  @Test("no post can begin or end a hyperlink's escape sequence")
  func hostile() {
    var post = Samples.small
    post.url = "https://example.org/\u{1b}\\\u{1b}]0;title\u{7}x\u{9c}"
    post.text = "https://example.org/\u{7}\u{1b}]8;;https://evil.example\u{7}click\u{1b}]8;;\u{7}"
    let text = PlainText(at: Samples.time, form: TerminalForm(hasLinks: true)).string(of: post)
    let sequences = text.split(separator: "\u{1b}").dropFirst()
    #expect(sequences.allSatisfy { $0.hasPrefix("]8;") || $0.hasPrefix("\\") })
    #expect(!text.contains("\u{7}") && !text.contains("\u{9c}") && !text.contains("8;;https"))
  }

  private static let parts: [(String, [String])] = [
    ("hi @kai_demo!", ["@kai_demo"]), ("@mira@far.example.", ["@mira@far.example"]), ("mail a@b.example", []),
    ("#topic and #1 and #日本語", ["#topic", "#日本語"]), ("#微博话题#测试", ["#微博话题#"]), ("a#b &#39; C#", []),
    ("@朋友甲 你好", ["@朋友甲"]),
    ("@jack这是", ["@jack"]), ("@ # @@a", []), ("(https://a.example/x)", ["https://a.example/x"]),
  ]

  @Test("mentions, topics and links each have their own colour on a terminal", arguments: parts)
  func coloured(text: String, parts: [String]) {
    let shown = self.text(text, TerminalForm(isColoured: true))
    let accented = shown.split(separator: "\u{1b}[36m").dropFirst().map { String($0.prefix { $0 != "\u{1b}" }) }
    #expect(accented == parts)
    #expect(
      shown.split(separator: "\u{1b}[").filter { $0.hasPrefix("0m") }.count == accented.count + 3,
      "each colour is switched off")
  }
}
