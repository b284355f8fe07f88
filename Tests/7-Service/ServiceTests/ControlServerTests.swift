import Accounts
import Dispatch
import Folders
import HTTP
import HTTPServer
import Platform
import Service
import Settings
import TestSupport
import Testing

@testable import ControlProtocol

/// Runs blocking code on a separate thread, not on the threads that tests share.
private func blocking(_ body: @escaping @Sendable () throws -> Void) async throws {
  let result: Result<Void, any Error> = await withCheckedContinuation { done in
    DispatchQueue(label: "control test").async { done.resume(returning: Result { try body() }) }
  }
  try result.get()
}

@Suite struct ControlServerTests {
  @Test("a login sends an event for each step, ends with `done`, and stores the token and the timeline")
  func login() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let login = try fixture.login("one")
      #expect(login.address.callbackPort != nil)
      fixture.authorise(login)
      let events = try login.client.rest()
      guard events.count == 4, let user = events[0] as? AuthorisedEvent, let stored = events[1] as? StoredEvent,
        let report = events[2] as? RefreshedEvent
      else {
        Issue.record("\(events)")
        return
      }
      #expect(user.screenName == "mira_demo" && stored.path == fixture.files("one").token && File.exists(stored.path))
      #expect(report.account == "one" && report.exit == .done && (report.new ?? 0) > 0 && report.message == nil)
      #expect(report.timeline == fixture.files("one").timeline && File.exists(report.timeline ?? ""))
      #expect(events[3] as? EndEvent == EndEvent(exit: .done))
      #expect(fixture.waitUntilIdle())
    }
  }

  @Test("login input reaches only the login that it belongs to")
  func input() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let login = try fixture.login("one", pin: true)
      #expect(login.address.callbackPort == nil)
      let other = try fixture.client()
      #expect(try other.respond(LoginInputRequest(login: "0123", .line("x"))).status == 404)
      #expect(try other.respond(LoginInputRequest(login: login.id, .line("what is this?"))).status == 204)
      guard let notice = try login.client.next() as? NoticeEvent else {
        Issue.record("no notice about the line was sent")
        return
      }
      #expect(notice.message.hasSuffix("Still waiting."))
      #expect(try other.respond(LoginInputRequest(login: login.id, .end)).status == 204)
      let end = try login.client.rest()
      #expect(end.count == 1)
      guard let how = end.last as? EndEvent else { return }
      #expect(how.exit == .notAuthorised && how.message?.hasPrefix("one: ") == true)
      #expect(try other.respond(LoginInputRequest(login: login.id, .end)).status == 404)
    }
  }

  @Test("if the client disconnects, its login ends and the account can be logged in again immediately")
  func hangUp() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let gone = try fixture.login("one")
      gone.client.close()
      #expect(fixture.waitUntilIdle())
      #expect(try fixture.client().respond(LoginInputRequest(login: gone.id, .end)).status == 404)
      #expect(try Folder.names(in: fixture.files("one").stateFolder).allSatisfy { !$0.hasPrefix("token") })
      let port = try #require(gone.address.callbackPort)
      #expect(throws: (any Error).self) { try TestClient(port: UInt16(port)) }
      let next = try fixture.login("one")
      fixture.authorise(next)
      #expect(try next.client.rest().last as? EndEvent == EndEvent(exit: .done))
    }
  }

  @Test("a second login to an account ends the first one, whose client learns the reason")
  func replaced() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let first = try fixture.login("one")
      let second = try fixture.login("one")
      guard let end = try first.client.rest().last as? EndEvent else {
        Issue.record("the first login has no end event")
        return
      }
      #expect(end.exit == .temporary && end.message?.contains("another login") == true)
      fixture.authorise(second)
      #expect(try second.client.rest().last as? EndEvent == EndEvent(exit: .done))
    }
  }

  @Test("logins to two accounts run at the same time")
  func beside() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let (one, two) = (try fixture.login("one"), try fixture.login("two"))
      #expect(one.address.callbackPort == two.address.callbackPort)
      for login in [two, one] {
        fixture.authorise(login)
        #expect(try login.client.rest().last as? EndEvent == EndEvent(exit: .done))
      }
    }
  }

  @Test(
    "refreshing some or all enabled accounts sends an event for each, and ends with the worst exit code"
  )
  func refresh() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let login = try fixture.login("two")
      fixture.authorise(login)
      _ = try login.client.rest()
      let client = try fixture.client()
      #expect(try client.ask(RefreshRequest(accounts: [])) == 200)
      var reports: [String: RefreshedEvent] = [:]
      let events = try client.rest()
      for case let report as RefreshedEvent in events { reports[report.account] = report }
      #expect(reports.count == 2 && events.count == 3)
      #expect(reports["one"]?.exit == .notAuthorised && reports["one"]?.new == nil)
      #expect(reports["one"]?.message?.contains("homeline login one") == true)
      #expect(reports["two"]?.exit == .done && reports["two"]?.new != nil)
      #expect(events.last as? EndEvent == EndEvent(exit: .notAuthorised))
      // The connection remains open after the response. An account that is named twice is refreshed only once.
      #expect(try client.ask(RefreshRequest(accounts: ["two", "two"])) == 200)
      #expect(try client.rest().count == 2)
    }
  }

  @Test("an account's home timeline can also be named, and a timeline that it does not fetch is refused")
  func timelines() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let client = try fixture.client()
      for request in [
        RefreshRequest(accounts: ["two/likes"]), PublishRequest(accounts: ["two/likes"]),
        MarkRequest(account: "two/likes", upTo: nil), StatusRequest(account: "two/likes"),
      ] as [any ControlRequest] {
        let response = try client.respond(request)
        let refusal = ControlError(status: .badRequest, body: response.body)
        #expect(response.status == 404 && refusal.exitCode == .usage)
        #expect(refusal.message == #"the account two does not fetch the timeline "likes" (its timelines: home)"#)
      }
      let purge = try client.respond(PurgeRequest(account: "two/home", .everything, isDryRun: true))
      #expect(purge.status == 400)
      #expect(
        ControlError(status: .badRequest, body: purge.body).message
          == "a purge removes posts from all timelines, so specify the account: two")
      let logout = try client.respond(LogoutRequest(account: "two/home"))
      #expect(logout.status == 400)
      #expect(try client.ask(RefreshRequest(accounts: ["two/home", "two"])) == 200)
      // Both are the same timeline, which is refreshed once.
      let events = try client.rest()
      #expect(events.compactMap { ($0 as? RefreshedEvent)?.account } == ["two"])
      #expect(try client.ask(MarkRequest(account: "two/home", upTo: nil)) == 200)
      #expect(try client.rest().compactMap { ($0 as? MarkedEvent)?.account } == ["two"])
    }
  }

  @Test("a logout reports its outcome to the client")
  func logout() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let login = try fixture.login("one")
      fixture.authorise(login)
      _ = try login.client.rest()
      let client = try fixture.client()
      for outcome in [LoggedOutEvent.Outcome.revoked, .wasNotAuthorised] {
        #expect(try client.ask(LogoutRequest(account: "one")) == 200)
        let events = try client.rest()
        guard events.count == 2, let report = events[0] as? LoggedOutEvent else {
          Issue.record("\(events)")
          return
        }
        #expect(report.account == "one" && report.outcome == outcome && !report.message.isEmpty)
        #expect(events[1] as? EndEvent == EndEvent(exit: .done))
        #expect(!File.exists(fixture.files("one").token))
      }
    }
  }

  @Test("the status contains the state owner, and either all accounts or only the requested one")
  func status() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let client = try fixture.client()
      let all = try ControlStatus(json: try client.respond(StatusRequest()).body)
      #expect(all.accounts.map(\.account) == ["one", "two", "off"])
      #expect(all.owner.processID == ProcessEnvironment.processID && all.owner.command == "daemon")
      let one = try ControlStatus(json: try client.respond(StatusRequest(account: "off")).body)
      #expect(one.accounts.map(\.account) == ["off"])
    }
  }

  @Test("a request that cannot be started is refused before any event, with the exit code and the next step")
  func refusals() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let client = try fixture.client()
      func refusal(_ request: some ControlRequest) throws -> (Int, ControlError) {
        let response = try client.respond(request)
        return (response.status, ControlError(status: .badRequest, body: response.body))
      }
      for request in [
        StatusRequest(account: "onne"), RefreshRequest(accounts: ["one", "onne"]),
        LoginRequest(account: "onne"), LogoutRequest(account: "onne"), IssueTokenRequest(account: "onne"),
      ] as [any ControlRequest] {
        let (status, why) = try refusal(request)
        #expect(status == 404 && why.exitCode == .usage && why.message.contains("one, two, off"))
      }
      let (several, why) = try refusal(LoginRequest())
      #expect(several == 400 && why.exitCode == .usage && why.message.contains("one, two"))
      let (signed, instead) = try refusal(IssueTokenRequest(account: "one"))
      #expect(signed == 400 && instead.exitCode == .usage && instead.message.contains("homeline sign"))
      let (reload, short) = try refusal(ReloadRequest())
      #expect(reload == 409 && short.exitCode == .temporary)
      #expect(fixture.waitUntilIdle())
    }
  }

  @Test("a reload reports what has changed, or why it failed")
  func reload() async throws {
    let fails = Locked(false)
    let fixture = try ControlFixture { notice, done in
      notice("the account three is new")
      done(fails.withLock { $0 } ? .failure(OperationError(.configuration, "line 3: what is this?")) : .success(()))
    }
    try await blocking {
      let client = try fixture.client()
      #expect(try client.ask(ReloadRequest()) == 200)
      let events = try client.rest()
      #expect(events.map { $0.line } == [NoticeEvent("the account three is new").line, EndEvent(exit: .done).line])
      fails.withLock { $0 = true }
      #expect(try client.ask(ReloadRequest()) == 200)
      #expect(
        try client.rest().last as? EndEvent == EndEvent(exit: .configuration, message: "line 3: what is this?"))
    }
  }

  @Test("the control server stops after the last request has ended, and removes its socket file")
  func stopsWhenIdle() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let login = try fixture.login("one")
      let stopped = DispatchSemaphore(value: 0)
      fixture.server.stopWhenIdle { stopped.signal() }
      // The server still responds to other clients in the meantime.
      #expect(try fixture.client().respond(StatusRequest()).status == 200)
      #expect(File.exists(fixture.path))
      fixture.authorise(login)
      #expect(try login.client.rest().last as? EndEvent == EndEvent(exit: .done))
      login.client.close()
      #expect(stopped.wait(timeout: .now() + 30) == .success)
      #expect(!File.exists(fixture.path))
    }
  }

  @Test("adopted control sockets are served in addition to the server's own, and their files are kept")
  func adopted() async throws {
    let fixture = try ControlFixture()
    try await blocking {
      let path = "\(fixture.path).adopted"
      let adopted = try AdoptedSockets(owning: [try UnixSocket.listening(at: path)])
      try fixture.server.serve(try adopted.unix()!)
      for path in [path, fixture.path] {
        #expect(try ControlClient(path).respond(StatusRequest(account: "one")).status == 200)
      }
      let stopped = DispatchSemaphore(value: 0)
      fixture.server.stop(grace: .zero) { stopped.signal() }
      #expect(stopped.wait(timeout: .now() + 30) == .success)
      #expect(File.exists(path) && !File.exists(fixture.path))
    }
  }
}
