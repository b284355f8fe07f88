import Testing
import Time

@testable import Timeline

@Suite struct ServerFilterTests {
  private func post(_ text: String) -> Post {
    Post(
      id: PostID("1"), createdAt: Timestamp(seconds: 0), author: User(id: "1", screenName: "s", name: "n"), text: text)
  }

  @Test(
    "a warning filter's warning comes before the post's text, which is unchanged once the filter no longer applies",
    arguments: [
      ("The final was a draw.", "CW: Filtered: final\n\nThe final was a draw."), ("", "CW: Filtered: final"),
      ("CW: football\n\nA draw.", "CW: Filtered: final; football\n\nA draw."),
      ("CW: football", "CW: Filtered: final; football"), ("\nA draw.", "CW: Filtered: final\n\n\nA draw."),
      ("CW: \u{301}x\n\nA draw.", "CW: Filtered: final; \u{301}x\n\nA draw."),
      ("CW: Filtered: final\n\nquoted", "CW: Filtered: final; Filtered: final\n\nquoted"),
    ])
  func warning(text: String, shown: String) {
    let filtered = post(text).filtered(by: ServerFilter(.warn, title: "final"))
    #expect(filtered.text == shown)
    #expect(filtered.unfilteredText == text)
    #expect(filtered.unfiltered == post(text))
    #expect(filtered.filtered(by: nil) == post(text))
    #expect(WarnedText(filtered.text) != nil)
  }

  @Test("filters that hide a post or blur its media leave its text unchanged")
  func otherActions() {
    for action in [ServerFilter.Action.hide, .blur] {
      let filtered = post("A draw.").filtered(by: ServerFilter(action, title: "final"))
      #expect(filtered.text == "A draw." && filtered.unfiltered == post("A draw."))
      #expect(filtered.isHidden == (action == .hide))
      #expect(filtered.mediaWarning == (action == .blur ? "Filtered: final" : nil))
    }
  }

  @Test("a filter's title is one line of limited length, and a filter without a title still warns")
  func titles() {
    #expect(ServerFilter(.warn, title: "two\n\nlines\t") == ServerFilter(.warn, title: "two lines"))
    #expect(ServerFilter(.warn, title: String(repeating: "x", count: 100_000)).title.unicodeScalars.count == 1000)
    #expect(post("t").filtered(by: ServerFilter(.warn, title: " ")).text == "CW: Filtered\n\nt")
  }
}
