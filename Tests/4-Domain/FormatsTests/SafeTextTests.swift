import Testing

@testable import Formats

@Suite struct SafeTextTests {
  // If the scan restarted at each introducer, cleaning these texts would take minutes.
  @Test("text with millions of unterminated control strings is cleaned in a single pass", .timeLimit(.minutes(1)))
  func openings() {
    for opening in ["\u{9d}", "\u{90}", "\u{1b}]", "\u{1b}P", "\u{9f}\u{1b}"] {
      let text = String(repeating: opening, count: 150_000)
      let line = SafeText.line(of: text + "end")
      #expect(line == "end", "\(line.unicodeScalars.count)")
    }
  }

  @Test("removing a control string stops at the next terminator")
  func terminators() {
    let far = String(repeating: "x", count: 5000)
    #expect(SafeText.line(of: "a\u{9d}0;t\u{7}b\u{9d}1;t\u{1b}\\c\u{90}d\u{9c}e") == "abce")
    #expect(SafeText.line(of: "a\u{9d}\u{9d}\u{9d}b\u{7}c\u{7}d") == "acd")
    // The more distant terminator belongs to another string.
    #expect(SafeText.line(of: "a\u{9d}\(far)\u{9d}b\u{7}c") == "a\(far)c")
    #expect(SafeText.line(of: "a\u{9d}b\u{1b}\u{1b}\\c") == "ac")
    #expect(SafeText.line(of: "a\u{9d}b\u{1b}") == "ab")
    #expect(SafeText.line(of: "a\u{9d}") == "a")
  }
}
