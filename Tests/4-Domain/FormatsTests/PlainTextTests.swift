import TerminalText
import Testing
import Time
import Timeline

@testable import Formats

@Suite struct PlainTextTests {
  @Test("a short post takes two lines in plain text")
  func small() {
    let text = PlainText(at: Samples.time + .seconds(200), form: TerminalForm()).string(of: Samples.small)
    #expect(text == "jack @jack · 3 min\n  hello\n")
  }

  @Test("a post's plain text contains its reposter, lines, quotation, media and address")
  func full() {
    var post = Samples.full
    post.text = "one\ntwo"
    #expect(
      PlainText(at: Samples.time, form: TerminalForm()).string(of: post) == """
        Mira @mira_demo · now
          reposted by jack @jack
          one
          two
          > jack @jack: quoted
          > text
          > video https://v.example/1.mp4
          photo https://img.example/1.jpg (a cat & a "dog")
          animation https://img.example/2.mp4
          https://twitter.com/m/status/1

        """)
  }

  @Test("plain text is coloured only on request, and every colour is switched off again")
  func colour() {
    let plain = PlainText(at: Samples.time, form: TerminalForm()).string(of: Samples.full)
    let coloured = PlainText(at: Samples.time, form: TerminalForm(isColoured: true)).string(of: Samples.full)
    #expect(!plain.contains("\u{1b}"))
    #expect(coloured.contains("\u{1b}[1mMira\u{1b}[0m"))
    for line in coloured.split(separator: "\n") where line.contains("\u{1b}") {
      #expect(line.split(separator: "\u{1b}[").filter { $0.hasPrefix("0m") }.count > 0)
    }
  }

  @Test("no member of a post can control the terminal or reorder its line")
  func hostile() {
    let evil = "a\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{202e}b\u{8}\u{7f}\u{2066}"
    let user = User(id: "1", screenName: evil, name: evil)
    let media = [Media(kind: .photo, url: evil, alternativeText: evil)]
    let post = Post(
      id: PostID("1"), createdAt: Samples.time, author: user, text: evil, url: evil, repostedBy: user,
      quoted: Post.Quote(id: PostID("2"), createdAt: Samples.time, author: user, text: evil, url: evil, media: media),
      media: media)
    let text = PlainText(at: Samples.time, form: TerminalForm()).string(of: post)
    for scalar in text.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value))
      #expect(!(0x202a...0x202e).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
    }
    #expect(text.hasPrefix("ab @ab · now\n"))
  }

  @Test("a line break in an author's name does not start a new line")
  func nameWithLineBreak() {
    var post = Samples.small
    post.author = User(id: "1", screenName: "x", name: "Real\nFake @fake · now")
    #expect(
      PlainText(at: Samples.time, form: TerminalForm()).string(of: post).hasPrefix(
        "Real Fake @fake · now @x · now\n  hello"))
  }

  private static let sequences: [(text: String, safe: String)] = [
    ("a\u{1b}[1;31mb", "ab"), ("a\u{1b}]8;;https://x\u{1b}\\b", "ab"), ("a\u{1b}P1$q\u{9c}b", "ab"), ("a\u{1b}", "a"),
    ("a\u{1b}[", "a"), ("a\u{1b}[31", "a31"), ("a\u{1b}]unfinished", "aunfinished"), ("a\u{1b}cb", "acb"),
    ("a\u{1b}Mb", "ab"), ("a\u{1b}[\u{1b}[1mb", "ab"), ("👩‍💻 שלום e\u{301}", "👩‍💻 שלום e\u{301}"), ("a\tb", "a b"),
  ]

  @Test(
    "complete escape sequences are removed, and incomplete ones lose only their introducer", arguments: sequences
  )
  func escapes(text: String, safe: String) { #expect(SafeText.line(of: text) == safe) }

  @Test("every kind of line break in a post is recognised")
  func lineBreaks() {
    #expect(
      SafeText.lines(of: "a\r\nb\rc\nd\u{85}e\u{2028}f\u{2029}g\n\nh") == ["a", "b", "c", "d", "e", "f", "g", "", "h"])
    #expect(SafeText.lines(of: "").isEmpty)
  }

  private static let ages: [(seconds: Int64, text: String)] = [
    (0, "now"), (59, "now"), (-60, "now"), (-61, "2026-11-20T16:00:00Z"), (60, "1 min"), (3599, "59 min"),
    (3600, "1 h"), (86_399, "23 h"), (86_400, "1 d"), (604_799, "6 d"), (604_800, "2026-11-20"),
  ]

  @Test("a post's age is given in its largest unit, or as a date if the post is old", arguments: ages)
  func age(seconds: Int64, text: String) {
    #expect(Age(of: Samples.time, at: Samples.time + .seconds(seconds)).description == text)
  }
}

/// Search matches in posts on a terminal.
@Suite struct HighlightTests {
  private func text(_ text: String, _ ranges: [Range<Int>], columns: Int? = nil) -> String {
    var post = Samples.small
    post.text = text
    var matches = PostMatches()
    for range in ranges { matches.add(range, of: .text) }
    let form = TerminalForm(columns: columns, isColoured: true)
    let lines = PlainText(at: Samples.time, form: form).string(of: post, PlainText.Details(matches: matches))
    return lines.split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  private func marked(_ text: String) -> String { "\u{1b}[7m\(text)\u{1b}[0m" }

  @Test("a match keeps its place when control characters before it are removed")
  func removed() {
    #expect(text("a\u{1b}[31mb\tcat\r\ndog", [8..<11, 13..<16]) == "  ab \(marked("cat"))\n  \(marked("dog"))")
  }

  @Test("a match in a link is highlighted, and a match over a line break in both lines")
  func linksAndLines() {
    #expect(text("see @mira", [5..<9]) == "  see \u{1b}[36m@\u{1b}[0m\u{1b}[36;7mmira\u{1b}[0m")
    #expect(text("full\nmoon", [0..<9]) == "  \(marked("full"))\n  \(marked("moon"))")
    let line = String(repeating: "word ", count: 6)
    #expect(text(line, [10..<19], columns: 20).contains(marked("word\u{1b}[0m\n  \u{1b}[7mword")))
  }

  @Test("a character is never divided, and a range outside the text is ignored")
  func clusters() {
    #expect(text("e\u{301}x👩‍💻", [1..<2, 3..<4, 90..<99]) == "  \(marked("e\u{301}"))x\(marked("👩‍💻"))")
  }
}
