import ControlProtocol
import HTTP
import Platform
import TestSupport
import Testing
import Time

@testable import Web

/// The page `/outbox`.
@Suite("The outbox page", .timeLimit(.minutes(1))) struct OutboxPageTests {
  private static func event(
    _ state: OutboxEvent.State, _ message: String? = nil, postAt: Timestamp? = nil, waitsUntil: Timestamp? = nil,
    post: String? = nil
  ) -> OutboxEvent {
    OutboxEvent(
      account: "bird", id: "out-\(state.rawValue.prefix(4))", state: state, text: "<\(state.rawValue)>",
      createdAt: Timestamp(seconds: 0), postAt: postAt, waitsUntil: waitsUntil, message: message, post: post, url: nil)
  }

  private static func list(_ events: [any ControlEvent], _ path: String = "/outbox") throws -> String {
    let fixture = try WebFixture()
    fixture.service.respond { _ in ScriptedChanges.Script(events: events) }
    let answer = try fixture.send(path, [try fixture.enter()])
    #expect(answer.status == 200)
    return answer.text
  }

  @Test("Each post shows its state, the reason and the next attempt, and the buttons that make sense for it")
  func states() throws {
    let later = Timestamp(seconds: 1_790_003_600)
    let page = try Self.list([
      Self.event(.posted, post: "7"), Self.event(.queued, postAt: later),
      Self.event(.uploading, "the network is down", waitsUntil: later), Self.event(.refused, "the text is bad"),
      Self.event(.unknown, "no response"), NoticeEvent("the record of the post out-x is damaged"),
    ])
    let rows = page.split(separator: "<li id=\"").dropFirst().map { String($0.prefix { $0 != "\u{0}" }) }
    #expect(rows.map { $0.prefix(8) } == ["out-unkn", "out-refu", "out-uplo", "out-queu", "out-post"])
    #expect(rows[0].contains("may have been published"))
    #expect(rows[0].contains("Send again") && rows[0].contains("Discard"))
    #expect(rows[1].contains("not published") && rows[1].contains("The text is bad.") && rows[1].contains("Send again"))
    #expect(rows[2].contains("next attempt") && rows[2].contains("Try now") && rows[2].contains("&lt;uploading&gt;"))
    #expect(rows[3].contains("waits until") && !rows[3].contains("Try now") && rows[3].contains("Discard"))
    #expect(rows[4].contains("href=\"/a/bird/p/7\"") && !rows[4].contains("<button name=\"do\""))
    #expect(page.contains("The record of the post out-x is damaged."))
  }

  @Test("An empty outbox says so once, and a part of the page is only the list")
  func empty() throws {
    let events = [NoticeEvent(OutboxRequest.emptiness)]
    let page = try Self.list(events, "/outbox?done=discarded")
    #expect(page.contains("The post was removed from the outbox.") && page.contains("There are no posts in the outbox"))
    #expect(!page.contains("there are no posts"))
    #expect(try Self.list(events, "/outbox?part=outbox").hasPrefix("<div id=\"outbox\">"))
    let fixture = try WebFixture()
    #expect(try fixture.send("/outbox?x=1", [try fixture.enter()]).status == 400)
  }

  @Test("Retry and discard go to the service; a cost is confirmed first, and a refusal is a page")
  func changes() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    fixture.service.respond { request in
      guard let request = request as? OutboxRequest else { return ScriptedChanges.Script() }
      return switch request.action {
      case .retry where !request.isConfirmed:
        ScriptedChanges.Script(
          end: .end(EndEvent(exit: .badData, message: "it costs", question: .confirmCost, cost: 200_000)))
      case .retry: ScriptedChanges.Script(events: [Self.event(.refused, "no")])
      case .discard("out-1"): ScriptedChanges.Script(events: [Self.event(.discarded)])
      default: ScriptedChanges.Script(end: .end(EndEvent(exit: .badData, message: "there is no post out-2")))
      }
    }
    func send(_ body: String) throws -> TestClient.Answer {
      try fixture.send(
        "/outbox", method: "POST", [cookie, "Origin: http://127.0.0.1:\(fixture.port)"], body: "account=bird&" + body)
    }
    let asked = try send("id=out-1&do=retry")
    #expect(asked.status == 200 && asked.text.contains("Post for 0.20 USD"), "\(asked.text)")
    #expect(try send("id=out-1&do=retry&confirmed=1").field("Location") == "/outbox?done=refused#out-1")
    #expect(try send("id=out-1&do=discard").field("Location") == "/outbox?done=discarded#out-1")
    let missing = try send("id=out-2&do=discard")
    #expect(missing.status == 422 && missing.text.contains("there is no post out-2."), "\(missing.text)")
    #expect(try send("id=out-1&do=eat").status == 400 && send("do=retry").status == 400)
  }
}
