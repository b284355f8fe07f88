import ControlProtocol
import Platform
import Testing
import Time

@testable import Web

@Suite("The buttons of the status page") struct StatusActsTests {
  private typealias Fixture = ReadingFixture

  @Test("Each enabled account can be refreshed and logged in again, and several accounts together")
  func offered() throws {
    let one = try Fixture().get("/status")
    #expect(one.html.contains("aria-label=\"Refresh bird now\"") && !one.html.contains("Refresh all accounts now"))
    #expect(one.html.contains("aria-label=\"Log in to bird again\""))
    #expect(PageJudge(one.html).faults == [])
    let two = try Fixture(#""bird": {"provider": "sandbox"}, "off": {"provider": "sandbox", "enabled": false}"#)
      .get("/status")
    #expect(two.html.contains("Refresh all accounts now") && !two.html.contains("Refresh off now"))
    #expect(PageJudge(two.html).faults == [])
  }

  @Test("A refresh asks the service, and comes back with a message or with each account's failure")
  func refreshed() throws {
    let fixture = try Fixture()
    #expect(try fixture.post("/status/refresh", [("account", "bird")]).location == "/status?done=refreshed")
    #expect(fixture.changes.requests.last as? RefreshRequest == RefreshRequest(accounts: ["bird"]))
    #expect(try fixture.post("/status/refresh", []).location == "/status?done=refreshed")
    #expect(fixture.changes.requests.last as? RefreshRequest == RefreshRequest())
    #expect(try fixture.get("/status?done=refreshed").html.contains("role=\"status\">Refreshed.</p>"))
    fixture.changes.respond { _ in
      let failed = RefreshedEvent(
        account: "bird", new: nil, message: "the server is busy", exit: .temporary, warnings: [], timeline: nil)
      return .init(events: [failed], end: .end(EndEvent(exit: .temporary, retryAt: Fixture.noon + .seconds(60))))
    }
    let answer = try fixture.post("/status/refresh", [("account", "bird")])
    #expect(answer.status == 503 && answer.html.contains("bird: the server is busy."))
    #expect(answer.html.contains("It can be tried again at ") && answer.link("Status") == "/status")
    #expect(try fixture.post("/status/refresh", [("account", "nobody")]).status == 404)
  }

  @Test("A login shows the provider's address as a link, and goes on without the page")
  func loggedIn() throws {
    let fixture = try Fixture()
    let url = "https://m.example/oauth/authorize?x=1&y=2"
    fixture.changes.respond { _ in
      let begun = BegunEvent(login: "1", account: "bird")
      return .init(events: [begun, AddressEvent(url: url, callbackPort: 8765)], end: nil)
    }
    let answer = try fixture.post("/status/login", [("account", "bird")])
    #expect(answer.status == 200 && answer.html.contains("href=\"https://m.example/oauth/authorize?x=1&amp;y=2\""))
    #expect(answer.html.contains("Authorise homeline on <bdi>m.example</bdi>"))
    #expect(PageJudge(answer.html).faults == [])
    #expect(fixture.changes.left == 0)
    #expect(fixture.changes.requests.last as? LoginRequest == LoginRequest(account: "bird"))
  }

  @Test("A login that asks for a code, a password or a token ends, and the page names the command")
  func asked() throws {
    let events: [any ControlEvent] = [
      AddressEvent(url: "https://m.example/", callbackPort: nil),
      CodeEvent(code: "ABCD", url: "https://m.example/", completeURL: nil), PasswordEvent(), TokenWantedEvent(lines: 1),
    ]
    for event in events {
      let fixture = try Fixture()
      fixture.changes.respond { _ in .init(events: [event], end: nil) }
      let answer = try fixture.post("/status/login", [("account", "bird")])
      #expect(answer.status == 409 && answer.html.contains("homeline login bird") && !answer.html.contains("ABCD"))
      #expect(fixture.changes.left == 1)
    }
  }

  @Test("A login that cannot begin says why, and one without an account is refused")
  func refused() throws {
    let fixture = try Fixture()
    fixture.changes.respond { _ in .init(end: .end(EndEvent(exit: .configuration, message: "bird: no client"))) }
    let answer = try fixture.post("/status/login", [("account", "bird")])
    #expect(answer.status == 409 && answer.html.contains("bird: no client."))
    #expect(try fixture.post("/status/login", []).status == 404)
    #expect(try fixture.post("/status/login", [("account", "nobody")]).status == 404)
  }
}
