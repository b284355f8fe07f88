import Accounts
import Glibc
import HTTP
import Platform
import PublishedFiles
import Settings
import TestSupport
import Testing
import Time
import Timeline

@testable import HTTPServer
@testable import Web

@Suite("The stream of changes", .timeLimit(.minutes(2))) struct LiveStreamsTests {
  /// The fields that a browser sends with an `EventSource` of a page of ours.
  private static let own = ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"]

  /// An open stream, read event by event.
  private struct Reader {
    let client: TestClient
    let head: String
    private var text = ""

    /// - Parameter receiveBuffer: the size of the socket's buffer, which is small for a client that does not read.
    init(_ fixture: WebFixture, _ cookie: String, receiveBuffer: Int32? = nil) throws {
      client = try TestClient(port: fixture.port, receiveBuffer: receiveBuffer)
      try client.request("/events", fields: [cookie] + LiveStreamsTests.own)
      let answer = try client.readResponse()
      head = answer.head
      try #require(answer.status == 200, "\(answer.head)")
    }

    /// Returns the next event, without the chunks' sizes; nil at the end.
    mutating func next() throws -> String? {
      while true {
        if let end = text.firstRange(of: "\n\n") {
          let event = text[..<end.lowerBound].split(separator: "\r\n").last.map(String.init) ?? ""
          text = String(text[end.upperBound...])
          return event
        }
        let bytes = try client.receive()
        if bytes.isEmpty { return nil }
        text += String(decoding: bytes, as: UTF8.self)
        // The last chunk has no content.
        if text.hasSuffix("0\r\n\r\n"), text.firstRange(of: "\n\n") == nil { return nil }
      }
    }
  }

  private static let bird = TimelineKey.home(of: AccountName("bird")!)

  private func report(_ fixture: WebFixture, unread: Int) {
    fixture.changes.report(.timeline(Self.bird, PublishedSummary(PostLines(), of: "bird", unread: unread)))
  }

  @Test("A stream begins with the moment, which the page names too, and then has one event for each change")
  func events() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    report(fixture, unread: 1)
    let page = try fixture.send("/", [cookie]).text
    let moment = try #require(page.firstMatch(of: /<main [^>]*data-live="\/" data-moment="([0-9a-f]+\.1)"/)).1
    var reader = try Reader(fixture, cookie)
    #expect(reader.head.contains("Content-Type: text/event-stream"))
    #expect(try reader.next() == "retry: 5000\nid: \(moment)\nevent: beginning\ndata: {}")
    let run = moment.split(separator: ".")[0]
    report(fixture, unread: 7)
    #expect(
      try reader.next() == "id: \(run).2\ndata: {\"page\":\"/a/bird\",\"newest\":null,\"unread\":7}")
    fixture.changes.report(.view(AccountName("all")!, PublishedSummary(PostLines(), of: "all", unread: 0)))
    #expect(try reader.next()?.hasSuffix(#"{"page":"/v/all","newest":null,"unread":0}"#) == true)
    fixture.changes.report(.outbox(AccountName("bird")!))
    #expect(try reader.next() == "id: \(run).4\ndata: {\"page\":\"/outbox\"}")
  }

  @Test("Without a stream, nothing is made for a change")
  func unobserved() throws {
    let fixture = try WebFixture()
    var evaluated = 0
    func change() -> ContentChange {
      evaluated += 1
      return .outbox(AccountName("bird")!)
    }
    fixture.changes.report(change())
    #expect(evaluated == 0 && fixture.changes.count == 1)
    var reader = try Reader(fixture, try fixture.enter())
    _ = try reader.next()
    fixture.changes.report(change())
    #expect(evaluated == 1)
    reader.client.close()
    #expect(try waits { fixture.listener.live.count == 0 })
    fixture.changes.report(change())
    #expect(evaluated == 1 && fixture.changes.count == 3)
  }

  @Test("The oldest of 33 streams ends, and its browser has to wait")
  func displaced() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var readers: [Reader] = []
    for _ in 0...LiveStreams.most {
      var reader = try Reader(fixture, cookie)
      #expect(try reader.next()?.contains("event: beginning") == true)
      readers.append(reader)
    }
    #expect(try readers[0].next() == "retry: 60000\nevent: displaced\ndata: {}")
    #expect(try readers[0].next() == nil)
    #expect(fixture.listener.live.count == LiveStreams.most)
    report(fixture, unread: 2)
    for index in 1...LiveStreams.most { #expect(try readers[index].next()?.contains("\"unread\":2") == true) }
  }

  @Test("A stream ends with its session: forgotten, left, displaced or 30 days old")
  func sessions() throws {
    let fixture = try WebFixture()
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    let (first, second) = (try fixture.enter(), try fixture.enter())
    var (left, kept) = (try Reader(fixture, first), try Reader(fixture, second))
    _ = (try left.next(), try kept.next())
    #expect(try fixture.send("/leave", method: "POST", [first, origin], body: "").status == 200)
    #expect(try left.next() == nil)
    report(fixture, unread: 3)
    #expect(try kept.next()?.contains("\"unread\":3") == true)
    // The oldest session ends when a 17th begins.
    for _ in 0..<WebSessions.most { _ = try fixture.enter() }
    #expect(try kept.next() == nil)
    let third = try fixture.enter()
    var forgotten = try Reader(fixture, third)
    _ = try forgotten.next()
    _ = try fixture.listener.forget()
    #expect(try forgotten.next() == nil)
    var old = try Reader(fixture, try fixture.enter())
    _ = try old.next()
    fixture.now.withLock { $0 = $0 + .seconds(SessionCookie.seconds + 1) }
    report(fixture, unread: 4)
    #expect(try old.next() == nil)
    #expect(fixture.listener.live.count == 0)
  }

  @Test("A client that does not read is cut off, and the others get every change")
  func unread() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var reading = try Reader(fixture, cookie)
    _ = try reading.next()
    let silent = try Reader(fixture, cookie, receiveBuffer: 4096)
    var number = 0
    while fixture.listener.live.count == 2, number < 200_000 {
      number += 1
      report(fixture, unread: number)
      #expect(try reading.next()?.contains("\"unread\":\(number)}") == true)
    }
    #expect(fixture.listener.live.count == 1)
    withExtendedLifetime(silent) {}
  }

  @Test("Closing the page ends its streams completely")
  func closed() throws {
    let fixture = try WebFixture()
    var reader = try Reader(fixture, try fixture.enter())
    _ = try reader.next()
    #expect(try fixture.listener.close() != .wasClosed)
    #expect(try reader.next() == nil)
    #expect(fixture.listener.live.count == 0)
  }

  @Test(
    "Only a script of a page of ours, with a session, gets the stream",
    arguments: [
      (["Sec-Fetch-Site: same-site"] + own.dropFirst(), 403), (["Sec-Fetch-Site: cross-site"] + own.dropFirst(), 403),
      (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 400),
      (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"], 400),
      (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: script"], 400),
    ])
  func refused(fields: [String], status: Int) throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    #expect(try fixture.send("/events", [cookie] + fields).status == status)
    #expect(try fixture.send("/events", Self.own).status == 403)
    #expect(try fixture.send("/events", method: "HEAD", [cookie] + Self.own).status == 405)
    #expect(fixture.listener.live.count == 0)
  }

  @Test("A change that happens while a page is made is not taken for a part of the page")
  func duringMaking() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    report(fixture, unread: 1)
    fixture.service.respond { _ in
      self.report(fixture, unread: 2)
      return ScriptedChanges.Script()
    }
    let page = try fixture.send("/outbox", [cookie]).text
    #expect(fixture.changes.count == 2)
    #expect(page.contains(/data-live="\/outbox" data-moment="[0-9a-f]+\.1"/), "\(page)")
  }

  @Test("A stream whose session ends in the moment when others are removed is ended or kept, and never lost")
  func endingMeanwhile() throws {
    let home = TemporaryFolder()
    // Each look at the clock is a second later, once the streams are there.
    let (time, pace) = (Locked(Timestamp(seconds: 1_790_000_000)), Locked(Duration.zero))
    let clock = WallClock {
      let pace = pace.withLock { $0 }
      return time.withLock { time in
        time = time + pace
        return time
      }
    }
    let sessions = WebSessions("\(home.path)/sessions", clock: clock, log: Log { _, _ in })
    let changes = ContentChanges()
    let streams = LiveStreams(changes, for: sessions)
    let session = try #require(sessions.session(try sessions.begin()))
    let ended = Locked(0)
    for _ in 0..<LiveStreams.most {
      streams.begin(for: session) { _ in
        ResponseStream { step in if case .end = step { ended.withLock { $0 += 1 } } }
      }
    }
    // The session's last second passes while the streams are looked at.
    time.withLock { $0 = $0 + .seconds(SessionCookie.seconds - LiveStreams.most / 2) }
    pace.withLock { $0 = .seconds(1) }
    _ = try sessions.begin()
    #expect(streams.count + ended.withLock { $0 } == LiveStreams.most)
    #expect(streams.count > 0 && ended.withLock { $0 } > 0)
  }

  private func waits(_ condition: () -> Bool) throws -> Bool {
    for _ in 0..<3000 {
      if condition() { return true }
      usleep(10_000)
    }
    return false
  }
}
