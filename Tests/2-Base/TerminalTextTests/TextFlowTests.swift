import TerminalText
import Testing

/// Messages and tables on a terminal that is narrower than their lines.
@Suite struct TextFlowTests {
  private static let texts: [(text: String, lines: [String])] = [
    ("short", ["short"]),
    (
      "homeline: the service is not running on this machine",
      ["homeline: the service is not", "  running on this machine"]
    ),
    ("one two three four five six seven", ["one two three four five six", "  seven"]),
    ("   one two three four five six", ["   one two three four five", "     six"]),
    (
      "first line\n\nthe second line is longer than that\n",
      ["first line", "", "the second line is longer", "  than that", ""]
    ),
    (
      "homeline: see https://example.org/a/rather/long/path now",
      ["homeline: see", "  https://example.org/a/rather/long/path", "  now"]
    ),
    (
      "not authorised. To authorise it: homeline login dog",
      ["not authorised. To authorise", "  it: homeline login dog"]
    ),
    ("To start: homeline login dog. Then wait", ["To start: homeline login dog.", "  Then wait"]),
    ("To start it: homeline account enable dog", ["To start it:", "  homeline account enable dog"]),
    ("a  one two three four five six", ["a  one two three four five", "   six"]),
    ("a rather wide name  one two three", ["a rather wide name  one two", "    three"]),
    ("我们把时间线保存在文件里，每两分钟更新一次。", ["我们把时间线保存在文件里，每", "  两分钟更新一次。"]),
  ]

  @Test("a line is broken between words, and continued below its text", arguments: texts)
  func wrapped(text: String, lines: [String]) {
    #expect(
      TextFlow.wrapped(text, to: 29).split(separator: "\n", omittingEmptySubsequences: false) == lines.map { $0[...] })
  }

  @Test("text is not changed if the width is unknown")
  func unknown() {
    let text = String(repeating: "word ", count: 100)
    #expect(TextFlow.wrapped(text, to: nil) == text)
  }

  @Test("the columns of a table are continued below the last one")
  func table() {
    let row = "  --limit N  print at most this many posts, newest first"
    #expect(
      TextFlow.wrapped(row, to: 40) == "  --limit N  print at most this many\n             posts, newest first")
  }
}
