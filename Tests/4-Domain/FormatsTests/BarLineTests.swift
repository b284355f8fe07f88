import TestSupport
import Testing
import Time
import Timeline

@testable import Formats

struct BarLineTests {
  /// Returns the bar line for a timeline whose posts have the given texts and are all unread.
  private func bar(_ texts: [String], unread: Int? = nil, _ change: (inout TimelineHead) -> Void = { _ in }) -> String {
    var head = FeedSamples.head
    head.unread = unread ?? texts.count
    change(&head)
    let posts = texts.enumerated().map {
      FeedSamples.published(FeedSamples.post(String($0), text: $1), isUnread: true)
    }
    return FeedSamples.text(of: FeedSamples.publication(posts, head: head), as: .bar)
  }

  @Test("the bar shows the number of unread posts and the newest of them")
  func unread() {
    #expect(
      bar(["first", "second"])
        == #"{"text":"2","tooltip":"@jack first\n@jack second","alt":"unread","class":["unread"]}"# + "\n")
  }

  @Test("if everything has been read, the bar shows this, because empty text would hide the module")
  func read() {
    #expect(bar([]) == #"{"text":"0","tooltip":"bird: no unread posts","alt":"read","class":["read"]}"# + "\n")
  }

  @Test("the bar shows problems first, with their own classes")
  func trouble() {
    let stale = bar(["a"]) {
      $0.staleSince = Samples.time
      $0.problem = Problem(code: .network, message: "no <route>")
    }
    #expect(
      stale
        == #"{"text":"⚠ 1","tooltip":"Refreshes have failed since 2026-11-20T16:00:00Z.\nno &lt;route&gt;\n@jack a","#
        + #""alt":"stale","class":["unread","stale"]}"# + "\n")
    let loggedOut = bar([]) { $0.problem = Problem(code: .notAuthorised, message: "Log in.") }
    #expect(loggedOut.hasSuffix(#""alt":"login","class":["read","stale","login"]}"# + "\n"))
  }

  @Test(
    "the bar announces a login's expiry a week ahead, and no earlier", arguments: [(7, true), (8, false), (-1, true)])
  func login(days: Int, isShown: Bool) {
    let line = bar(["a"]) { $0.loginNeededBy = Samples.time + .seconds(days * 86400) }
    #expect(line.contains("homeline login bird") == isShown)
    #expect(line.contains(#""alt":"login","class":["unread","login"]"#) == isShown)
  }

  @Test("the bar's tooltip has at most ten lines, and the last line gives the number of remaining posts")
  func many() {
    let ten = bar((0..<10).map { "post \($0)" })
    #expect(ten.contains(#"\n@jack post 9","#))
    let eleven = bar((0..<11).map { "post \($0)" })
    #expect(eleven.contains(#"\n@jack post 8\nand 2 more","#))
    let more = bar((0..<3).map { "post \($0)" }, unread: 40)
    #expect(more.contains(#"@jack post 2\nand 37 more","#) && more.contains(#""text":"40""#))
    let troubled = bar((0..<20).map { "post \($0)" }) { $0.problem = Problem(code: .network, message: "no route") }
    #expect(troubled.contains(#""no route\n@jack post 0\n"#) && troubled.contains(#"@jack post 7\nand 12 more","#))
  }

  @Test("each line of the bar is truncated between characters before it is escaped")
  func cut() {
    let line = bar([String(repeating: "&", count: 200)])
    #expect(line.contains(#""tooltip":"@jack "# + String(repeating: "&amp;", count: 73) + "…\""))
    let family = bar([String(repeating: "👩‍👩‍👧‍👦", count: 200)])
    #expect(family.contains(#""tooltip":"@jack "# + String(repeating: "👩‍👩‍👧‍👦", count: 73) + "…\""))
  }

  @Test("no post can add Pango markup or a second line to the bar", arguments: HostileTexts.all.indices)
  func hostile(number: Int) {
    let text = HostileTexts.all[number]
    let line = bar([text]) { $0.problem = Problem(code: .provider, message: text) }
    #expect(line.unicodeScalars.count { $0 == "\n" } == 1 && line.utf8.last == UInt8(ascii: "\n"))
    #expect(!line.contains("<") && !line.contains(">") && !line.contains("'"))
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    // The lines are compared by bytes, because a combining mark after a reference is not part of the reference.
    for rest in line.utf8.split(separator: UInt8(ascii: "&")).dropFirst() {
      #expect(["amp;", "lt;", "gt;", "quot;", "#39;"].contains { rest.starts(with: $0.utf8) })
    }
    #expect(line.unicodeScalars.count < 4000)
  }
}
