import TerminalText
import TestSupport
import Testing
import Time
import Timeline

@testable import Formats

/// Posts on a terminal whose width is known.
@Suite struct WrappingTests {
  private func post(_ text: String) -> Post {
    var post = Samples.small
    post.text = text
    return post
  }

  /// Returns the lines of the text without the heading and the margin.
  private func lines(_ text: String, _ columns: Int) -> [String] {
    let shown = PlainText(at: Samples.time, form: TerminalForm(columns: columns)).string(of: post(text))
    return shown.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      // The texts are compared by scalars, because a mark at the beginning would combine with the margin.
      String($0.unicodeScalars.starts(with: "  ".unicodeScalars) ? $0.unicodeScalars.dropFirst(2) : $0.unicodeScalars)
    }
  }

  private static let brokenTexts: [(text: String, lines: [String])] = [
    ("the quick brown fox jumps", ["the quick brown", "fox jumps"]),
    ("aaaaaaaaaaaaaaaaaa bb", ["aaaaaaaaaaaaaaaaaa", "bb"]),
    ("aaaaaaaaaaaaaaaaaaa bb", ["aaaaaaaaaaaaaaaaaa", "a bb"]),
    ("ab aaaaaaaaaaaaaaaaaaaaaaaa", ["ab", "aaaaaaaaaaaaaaaaaa", "aaaaaa"]),
    ("one     two      three     four", ["one     two", "three     four"]),
    ("a\u{a0}b c\u{a0}d e\u{a0}f g\u{a0}h i\u{a0}j", ["a\u{a0}b c\u{a0}d e\u{a0}f g\u{a0}h", "i\u{a0}j"]),
    ("一二三四五六七八九十", ["一二三四五六七八九", "十"]),
    ("一二三四五六七八九。十", ["一二三四五六七八", "九。十"]), ("一二三四五六七八「九」", ["一二三四五六七八", "「九」"]),
    ("Das ist ein langer !", ["Das ist ein", "langer !"]), ("word 日本語のテキスト", ["word 日本語のテキ", "スト"]),
    ("😀😀😀😀😀😀😀😀😀😀", ["😀😀😀😀😀😀😀😀😀", "😀"]), ("\n\na", ["", "", "a"]),
    ("    indented text that is long", ["    indented text", "that is long"]),
    (String(repeating: " ", count: 50), [""]), ("。。。。。。。。。。。。", ["。。。。。。。。。", "。。。"]),
  ]

  @Test(
    "text is broken at spaces, between letters in scripts without spaces, and otherwise at the edge",
    arguments: brokenTexts)
  func breaks(text: String, lines: [String]) { #expect(self.lines(text, 20) == lines) }

  private static let hostileTexts = [
    String(repeating: "\u{301}", count: 10_000), "a" + String(repeating: "\u{20dd}", count: 10_000) + " b",
    String(repeating: "\u{200b}", count: 10_000), String(repeating: "👩‍💻", count: 500),
    String(repeating: "🇩🇪", count: 500), String(repeating: "\u{1f1e9}", count: 501),
    String(repeating: "\u{200d}👍🏽\u{fe0f}", count: 300), String(repeating: "「", count: 300),
    String(repeating: "」a", count: 300), String(repeating: "\u{a0}", count: 300),
    String(repeating: "a\u{300}日\u{3099} ", count: 300), String(repeating: "\u{1160}", count: 300),
    String(repeating: "x", count: 20_000), String(repeating: "\u{3000}日", count: 200),
  ]

  @Test("no wrapped text is wider than the terminal, and no letter is lost", arguments: hostileTexts)
  func hostile(text: String) {
    for columns in [20, 21, 100] {
      let lines = lines(text, columns)
      #expect(lines.allSatisfy { TextColumns.of($0) <= columns - 2 })
      let letters = { (text: String) in
        String(text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\u{200b}" })
      }
      #expect(letters(lines.joined()) == letters(text))
    }
  }

  @Test("random texts fit the terminal after wrapping, regardless of their content")
  func random() {
    var random = SeededGenerator(seed: 3)
    let pieces = [
      "a", "bc", " ", "  ", "日", "本。", "「", "」", "👩‍💻", "🇩🇪", "e\u{301}", "\u{200b}", "\u{200d}", "!", "한국", "\u{a0}",
    ]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0...80, using: &random)).map { _ in pieces.randomElement(using: &random)! }
        .joined()
      for line in lines(text, 20) { #expect(TextColumns.of(line) <= 18, "\(text)") }
    }
  }

  @Test("every part of a post is wrapped, including names, quotations and media, but no address is broken")
  func parts() {
    var post = Samples.full
    post.text = "one\ntwo"
    post.author = User(id: "1", screenName: "a_rather_long_name", name: "日本語の名前がとても長い人")
    let form = TerminalForm(columns: 24)
    let text = PlainText(at: Samples.time, form: form).string(
      of: post, PlainText.Details(account: "bird", isUnread: true))
    for line in text.split(separator: "\n") where TextColumns.of(String(line)) > 24 {
      let address = line.drop { " >".contains($0) }
      #expect(address.hasPrefix("https://") && !address.contains(" "), "\(line)")
    }
    #expect(text.contains("\n  https://twitter.com/m/status/1\n"))
    #expect(text.hasPrefix("● 日本語の名前がとても\n  長い人"))
    #expect(text.contains("\n  > jack @jack: quoted\n  > text\n"))
  }

  @Test("without a terminal, lines are not wrapped")
  func unbroken() {
    let long = String(repeating: "word ", count: 100)
    #expect(PlainText(at: Samples.time, form: TerminalForm()).string(of: post(long)) == "jack @jack · now\n  \(long)\n")
  }

  @Test("text is wrapped to a width of 20 to 100 columns")
  func bounds() {
    #expect([1, 20, 57, 100, 300].map(TerminalForm.textColumns) == [20, 20, 57, 100, 100])
  }

  @Test("an edited post is marked, and a post from one of several accounts shows its account")
  func details() {
    var post = Samples.small
    post.editedAt = Samples.time
    let text = PlainText(at: Samples.time, form: TerminalForm()).string(of: post, PlainText.Details(account: "bird"))
    #expect(text == "jack @jack · now · edited · bird\n  hello\n")
  }
}
