import Bytes
import HTTP
import Platform
import Settings
import Testing
import Time

@testable import ControlProtocol

@Suite struct ControlEventTests {
  static var events: [any ControlEvent] {
    let time = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!
    let events: [any ControlEvent] = [
      BegunEvent(login: "7f", account: "x"),
      AddressEvent(url: "https://x.example/authorise?oauth_token=t", callbackPort: 8750),
      AddressEvent(url: "https://x.example/", callbackPort: nil),
      PasswordEvent(), TokenWantedEvent(lines: 2),
      CodeEvent(code: "WDJB-MJHT", url: "https://x.example/device", completeURL: nil),
      CodeEvent(code: "W", url: "https://x.example/device", completeURL: "https://x.example/device?user_code=W"),
      NoticeEvent("a\nb \"c\" é \u{1}"),
      AuthorisedEvent(userID: "18446744073709551616", screenName: "ada", userName: "Ada\tL"),
      SetAsideEvent(paths: []), SetAsideEvent(paths: ["/a", "/b c"]),
      StoredEvent(path: "/state/token.json"),
      RefreshedEvent(account: "x", new: 0, message: nil, exit: .done, warnings: [], timeline: "/t"),
      RefreshedEvent(
        account: "x", new: nil, message: "the limit is reached", exit: .temporary, warnings: ["one", "two"],
        timeline: "/t"),
      ProgressEvent(account: "x", done: 1, of: 5, posts: 200),
      MarkedEvent(account: "x", upTo: nil, unread: 3), MarkedEvent(account: "x", upTo: "7", unread: 0),
      ImportedEvent(account: "x", new: 1, known: 2), PurgedEvent(account: "x", posts: 9, quotes: 2),
      TokenEvent(account: "x", accessToken: Secret("a\"b"), expiresAt: nil),
      TokenEvent(account: "x", accessToken: Secret("t"), expiresAt: time),
      ProtectedEvent(account: "x", protection: .keyring, outcome: .changed),
      ProtectedEvent(account: "x", protection: .files, outcome: .unchanged),
      PostActionEvent(account: "x", action: "like", post: "7"),
      PostActionEvent(account: "x", action: "repost", post: "7", isUndone: true, wasAlready: true),
      CheckedPostEvent(account: "x", author: "@a at https://b.example"),
      CheckedPostEvent(account: "x", author: "@a at https://b.example", length: 7, limit: 500, unit: "characters"),
      OutboxEvent(
        account: "x", id: "out-1", state: .posted, text: "t", createdAt: time, postAt: time, message: "m", post: "7",
        url: "https://b.example/7"),
      UploadEvent(account: "x", id: "out-1", file: 1, files: 2, done: 3, total: 1 << 40),
      EndEvent(exit: .done), EndEvent(exit: .temporary, message: "later", retryAt: time),
      EndEvent(exit: .badData, message: "no", question: .trustServer),
    ]
    let states = OutboxEvent.State.allCases.map {
      OutboxEvent(
        account: "x", id: "out-1", state: $0, text: "t", createdAt: time, postAt: nil, message: nil, post: nil, url: nil
      )
    }
    var list = TimelineEvent(
      account: "x", timeline: "list:a \"b\"", kind: "list", state: .offered, configured: "list:7")
    (list.title, list.id, list.isExclusive) = ("a \"b\"", "7", true)
    var tag = TimelineEvent(account: "x", timeline: "tag:猫", kind: "tag", state: .offered)
    tag.isFollowed = true
    let timelines = TimelineEvent.State.allCases.map {
      TimelineEvent(
        account: "x", timeline: "tag:NAME", isForm: true, kind: "tag", state: $0, scope: "read", message: "no")
    }
    return events + states + timelines + [list, tag]
      + LoggedOutEvent.Outcome.allCases.map { LoggedOutEvent(account: "x", outcome: $0, message: "gone") }
      + ExitCode.allCases.map { EndEvent(exit: $0) }
  }

  /// The events that each kind of request can yield.
  private static var types: [any ControlEvent.Type] {
    ControlRequestTests.types.flatMap { type -> [any ControlEvent.Type] in
      if case .events(let events) = type.response { events } else { [] }
    }
  }

  private func event(_ line: String) throws -> (any ControlEvent)? {
    try EventReader.event(Array(line.utf8), among: Self.types)
  }

  @Test("Every event is written as a single line and read back unchanged", arguments: events)
  func roundTrip(_ event: any ControlEvent) throws {
    let read = try #require(try EventReader.event(event.line, among: Self.types))
    #expect(AnyHashable(read) == AnyHashable(event))
    #expect(event.line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(event.line.last == UInt8(ascii: "\n"))
  }

  @Test("Events are written in the documented format")
  func written() {
    #expect(
      String(decoding: EndEvent(exit: .usage, message: "no").line, as: UTF8.self)
        == #"{"event":"end","exit":64,"message":"no","retry_at":null}"# + "\n")
  }

  @Test("An event's description never contains a token")
  func secrecy() {
    let event = TokenEvent(account: "x", accessToken: Secret("s3cret"), expiresAt: nil)
    #expect(!"\(event)".contains("s3cret"))
  }

  @Test("Unknown events and members are skipped, wherever they appear in a response")
  func unknown() throws {
    #expect(try event(#"{"event":"someday","later":{"x":[1]}}"#) == nil)
    #expect(
      try event(#"{"more":{"a":[{}]},"exit":0,"event":"end","level":3.5,"big":1e99}"#) as? EndEvent
        == EndEvent(exit: .done))
  }

  @Test("An event with an unknown error code still counts as a failure")
  func unknownCode() throws {
    #expect(try event(#"{"event":"end","exit":112}"#) as? EndEvent == EndEvent(exit: .software))
  }

  @Test(
    "Invalid events are refused",
    arguments: [
      "", "{", "[]", "{}", #"{"event":null}"#, #"{"event":"end"}"#, #"{"event":"begun","login":1}"#,
      #"{"event":"authorised"}"#, #"{"event":"logged_out","account":"x","outcome":"?","message":""}"#,
      #"{"event":"end","exit":0} more"#, #"{"event":"set_aside"}"#,
    ])
  func broken(_ line: String) {
    #expect(throws: ControlFormatError.self) { try event(line) }
  }

  @Test("A status document is read back unchanged")
  func status() throws {
    let time = try #require(Timestamp(rfc3339: "2026-11-20T16:00:00Z"))
    let status = ControlStatus(
      owner: ControlStatus.Owner(
        processID: 4711, command: "daemon", version: "0.1.0", startedAt: time, configuration: "/c.json",
        configurationProblem: "line 3"),
      accounts: [
        ControlStatus.Account(account: "a", activity: .idle, nextRefreshAt: time, waitsFor: nil),
        ControlStatus.Account(account: "b", activity: .loggingIn, nextRefreshAt: nil, waitsFor: "a login"),
        ControlStatus.Account(
          account: "c", activity: .uploading, nextRefreshAt: nil, waitsFor: nil,
          upload: ControlStatus.Upload(post: "out-1", done: 1, total: 1 << 40)),
      ])
    #expect(try ControlStatus(json: status.json) == status)
    #expect(!String(decoding: status.json, as: UTF8.self).contains("timelines"))
    var several = status
    several.accounts[0].timelines = [
      ControlStatus.Timeline(name: "home", unread: 7, nextRefreshAt: time),
      ControlStatus.Timeline(
        name: "list:\"Friends\"", unread: 0,
        freshness: ControlStatus.Freshness(
          refreshedAt: time, staleSince: time,
          error: ControlStatus.Problem(code: "closed", message: "there is no list", retryAt: time))),
    ]
    #expect(try ControlStatus(json: several.json) == several)
    #expect(try ControlStatus(json: ControlStatus(owner: status.owner, accounts: []).json).accounts.isEmpty)
  }

  @Test(
    "An invalid status document is refused",
    arguments: ["", "{}", #"{"schema":2,"owner":{}}"#, #"{"schema":1}"#, #"{"schema":1,"owner":{"pid":"x"}}"#])
  func brokenStatus(_ text: String) {
    #expect(throws: ControlFormatError.self) { try ControlStatus(json: Array(text.utf8)) }
  }

  @Test("The error for a control request is read back unchanged from its HTTP response")
  func refusal() {
    let refusal = ControlError(.conflict, exit: .temporary, "a login of \"x\" is under way")
    let response = refusal.response
    #expect(
      String(decoding: response.body, as: UTF8.self)
        == #"{"error":{"exit":75,"message":"a login of \"x\" is under way"}}"# + "\n")
    #expect(ControlError(status: response.status, body: response.body) == refusal)
  }

  @Test(
    "A response from an unrelated program is reported with its HTTP status",
    arguments: ["", "<html>", "{\"error\":7}", "{}"])
  func foreignRefusal(_ body: String) {
    let refusal = ControlError(status: .badGateway, body: Array(body.utf8))
    #expect(refusal.exitCode == .software)
    #expect(refusal.message.contains("502 Bad Gateway"))
  }
}
