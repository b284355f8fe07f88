import CivilTime
import Control
import HTTP
import HomelineOAuth
import Platform
import Testing

@Suite struct ControlAnswerTests {
  // Not stored: the leak sanitizer does not see a list inside of an enum of a global.
  static var events: [ControlEvent] {
    [
      .begun(ControlEvent.Begun(login: "7f", account: "x")),
      .address(ControlEvent.Address(url: "https://x.example/authorise?oauth_token=t", callbackPort: 8750)),
      .address(ControlEvent.Address(url: "https://x.example/", callbackPort: nil)),
      .code(ControlEvent.Code(code: "WDJB-MJHT", url: "https://x.example/device", completeURL: nil)),
      .code(
        ControlEvent.Code(
          code: "W", url: "https://x.example/device", completeURL: "https://x.example/device?user_code=W")),
      .notice("a\nb \"c\" é \u{1}"),
      .authorised(ControlEvent.User(id: "18446744073709551616", screenName: "ada", name: "Ada\tL")),
      .setAside(paths: []), .setAside(paths: ["/a", "/b c"]),
      .stored(path: "/state/token.json"),
      .refreshed(
        ControlEvent.Refreshed(account: "x", new: 0, message: nil, exit: .done, warnings: [], timeline: "/t")),
      .refreshed(
        ControlEvent.Refreshed(
          account: "x", new: nil, message: "the limit is reached", exit: .temporary, warnings: ["one", "two"],
          timeline: "/t")),
      .progress(ControlEvent.Progress(account: "x", done: 1, of: 5, posts: 200)),
      .marked(ControlEvent.Marked(account: "x", upTo: nil, unread: 3)),
      .marked(ControlEvent.Marked(account: "x", upTo: "7", unread: 0)),
      .imported(ControlEvent.Imported(account: "x", new: 1, known: 2)),
      .purged(ControlEvent.Purged(account: "x", posts: 9, quotes: 2)),
      .token(ControlEvent.Token(account: "x", accessToken: Secret("a\"b"), expiresAt: nil)),
      .token(
        ControlEvent.Token(
          account: "x", accessToken: Secret("t"), expiresAt: Timestamp(rfc3339: "2026-11-20T16:00:00Z"))),
      .end(ControlEvent.End(exit: .done)),
      .end(
        ControlEvent.End(exit: .temporary, message: "later", retryAt: Timestamp(rfc3339: "2026-11-20T16:00:00Z"))),
    ]
      + ControlEvent.LoggedOut.Outcome.allCases.map {
        .loggedOut(ControlEvent.LoggedOut(account: "x", outcome: $0, message: "gone"))
      } + ExitCode.allCases.map { .end(ControlEvent.End(exit: $0)) }
  }

  @Test("every event comes out of its line as it was, and its line is one line", arguments: events)
  func roundTrip(_ event: ControlEvent) throws {
    #expect(try ControlEvent(line: event.line) == event)
    #expect(event.line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(event.line.last == UInt8(ascii: "\n"))
  }

  @Test("an event is written as the protocol's page shows it")
  func written() {
    #expect(
      String(decoding: ControlEvent.end(ControlEvent.End(exit: .usage, message: "no")).line, as: UTF8.self)
        == #"{"event":"end","exit":64,"message":"no","retry_at":null}"# + "\n")
  }

  @Test("a token is not in what an event says of itself")
  func secrecy() {
    let event = ControlEvent.token(ControlEvent.Token(account: "x", accessToken: Secret("s3cret"), expiresAt: nil))
    #expect(!"\(event)".contains("s3cret"))
  }

  @Test("unknown events are passed over, and so are unknown members, wherever they stand")
  func unknown() throws {
    #expect(try ControlEvent(line: Array(#"{"event":"someday","later":{"x":[1]}}"#.utf8)) == nil)
    #expect(
      try ControlEvent(line: Array(#"{"more":{"a":[{}]},"exit":0,"event":"end","level":3}"#.utf8))
        == .end(ControlEvent.End(exit: .done)))
  }

  @Test("a code that is not known is a failure all the same")
  func unknownCode() throws {
    #expect(
      try ControlEvent(line: Array(#"{"event":"end","exit":112}"#.utf8)) == .end(ControlEvent.End(exit: .software)))
  }

  @Test(
    "what is no event is an error",
    arguments: [
      "", "{", "[]", "{}", #"{"event":null}"#, #"{"event":"end"}"#, #"{"event":"begun","login":1}"#,
      #"{"event":"authorised"}"#, #"{"event":"logged_out","account":"x","outcome":"?","message":""}"#,
      #"{"event":"end","exit":0} more"#, #"{"event":"set_aside"}"#,
    ])
  func broken(_ line: String) {
    #expect(throws: ControlFormatError.self) { try ControlEvent(line: Array(line.utf8)) }
  }

  @Test("a status comes out of its document as it was")
  func status() throws {
    let time = try #require(Timestamp(rfc3339: "2026-11-20T16:00:00Z"))
    let status = ControlStatus(
      owner: ControlStatus.Owner(
        processID: 4711, command: "daemon", version: "0.1.0", startedAt: time, configuration: "/c.json",
        configurationProblem: "line 3"),
      accounts: [
        ControlStatus.Account(account: "a", activity: .idle, nextRefreshAt: time, waitsFor: nil),
        ControlStatus.Account(account: "b", activity: .loggingIn, nextRefreshAt: nil, waitsFor: "a login"),
      ])
    #expect(try ControlStatus(json: status.json) == status)
    #expect(try ControlStatus(json: ControlStatus(owner: status.owner, accounts: []).json).accounts.isEmpty)
  }

  @Test(
    "a status that is not one is an error",
    arguments: ["", "{}", #"{"schema":2,"owner":{}}"#, #"{"schema":1}"#, #"{"schema":1,"owner":{"pid":"x"}}"#])
  func brokenStatus(_ text: String) {
    #expect(throws: ControlFormatError.self) { try ControlStatus(json: Array(text.utf8)) }
  }

  @Test("a refusal comes out of its answer as it was")
  func refusal() {
    let refusal = ControlRefusal(.conflict, exit: .temporary, "a login of \"x\" is under way")
    let answer = refusal.response
    #expect(
      String(decoding: answer.body, as: UTF8.self)
        == #"{"error":{"exit":75,"message":"a login of \"x\" is under way"}}"# + "\n")
    #expect(ControlRefusal(status: answer.status, body: answer.body) == refusal)
  }

  @Test("an answer of somebody else is told by its status", arguments: ["", "<html>", "{\"error\":7}", "{}"])
  func foreignRefusal(_ body: String) {
    let refusal = ControlRefusal(status: .badGateway, body: Array(body.utf8))
    #expect(refusal.exit == .software)
    #expect(refusal.message.contains("502 Bad Gateway"))
  }
}
