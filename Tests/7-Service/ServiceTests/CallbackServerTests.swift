import Accounts
import Bytes
import CallbackListener
import Dispatch
import Glibc
import HTTPServer
import HomelineOAuth
import Login
import Platform
import Service
import Settings
import TestSupport
import Testing

/// A callback server on its own port, with logins that accept and count every callback.
private final class CallbackFixture: Sendable {
  let callbackServer: CallbackServer
  let reserved: ReservedPort
  let asked = Locked<[String: Int]>([:])

  /// - Parameter anyPort: whether the kernel chooses the port.
  init(anyPort: Bool = false) throws {
    reserved = try ReservedPort()
    callbackServer = CallbackServer(CallbackSettings(port: anyPort ? 0 : reserved.port))
  }

  func open(
    _ token: String, at name: String? = nil, version: OAuthVersion = .oauth1
  ) throws -> (ticket: CallbackServer.Ticket, port: UInt16) {
    let (ticket, address, _) = try callbackServer.open(name, version: version) { callback, reply in
      self.asked.withLock { $0[token, default: 0] += 1 }
      reply(nil)
    }
    callbackServer.expect(token, for: ticket)
    return (ticket, UInt16(address.port!))
  }

  func close(_ ticket: CallbackServer.Ticket, _ title: String) async {
    await withCheckedContinuation { done in callbackServer.close(ticket, showing: CallbackPage(title)) { done.resume() }
    }
  }
}

/// Returns the address that a 303 response redirects the browser to.
private func location(_ response: TestClient.Answer) -> String? {
  response.head.split(separator: "\r\n").first { $0.hasPrefix("Location: ") }.map { String($0.dropFirst(10)) }
}

@Suite struct CallbackServerTests {
  @Test("a callback is redirected immediately, its page waits for the result, and then the port is closed")
  func wholeVisit() async throws {
    let callbackServer = try CallbackFixture()
    let (ticket, port) = try callbackServer.open("T1")
    let response = try TestClient.get("/callback?oauth_token=T1&oauth_verifier=V1", port: port)
    #expect(response.status == 303)
    let path = try #require(location(response))
    #expect(path.hasPrefix("/callback/done/"))
    #expect(!path.contains("V1"))
    let waiting = try TestClient(port: port)
    try waiting.request(path)
    // A second tab with the same callback is redirected to the same page and gets the same response.
    let again = try TestClient.get("/callback?oauth_token=T1&oauth_verifier=V1", port: port, overIPv6: true)
    #expect(location(again) == path)
    let second = try TestClient(port: port, overIPv6: true)
    try second.request(path)
    // These calls are not in a separate task, because they may block the last thread that the task could run on.
    let (closed, end) = AsyncStream<Void>.makeStream()
    callbackServer.callbackServer.close(ticket, showing: CallbackPage("Authorised as @mira")) { end.finish() }
    let page = try waiting.readResponse()
    #expect(page.status == 200)
    #expect(page.text.contains("Authorised as @mira"))
    #expect(try second.readResponse().text.contains("Authorised as @mira"))
    for await _ in closed {}
    #expect(throws: (any Error).self) { try TestClient(port: port) }
  }

  @Test("when several logins are pending, each gets only its own callback")
  func several() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("T1")
    let (_, samePort) = try callbackServer.open("T2")
    #expect(port == samePort)
    #expect(try TestClient.get("/callback?oauth_token=T2&oauth_verifier=V", port: port).status == 303)
    #expect(try TestClient.get("/callback?denied=T1", port: port).status == 303)
    #expect(try TestClient.get("/callback?oauth_token=T3&oauth_verifier=V", port: port).status == 404)
    #expect(callbackServer.asked.withLock { $0 } == ["T1": 1, "T2": 1])
  }

  @Test(
    "an unattributed refusal counts only if a single login is pending and a person may have sent it")
  func unnamedRefusal() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("T1")
    let image = try TestClient(port: port)
    try image.request("/callback?oauth_problem=user_refused", fields: ["Sec-Fetch-Dest: image"])
    #expect(try image.readResponse().status == 400)
    let (_, _) = try callbackServer.open("T2")
    #expect(try TestClient.get("/callback?error=access_denied", port: port).status == 400)
    #expect(callbackServer.asked.withLock { $0 }.isEmpty)
  }

  @Test("a callback on another login's path is ignored")
  func ownPaths() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("S1", at: "one.example", version: .oauth2)
    _ = try callbackServer.open("S2", at: "two.example", version: .oauth2)
    for query in ["code=C&state=S1", "error=access_denied&state=S1"] {
      #expect(try TestClient.get("/callback/two.example?\(query)", port: port).status == 404)
      #expect(try TestClient.get("/callback?\(query)", port: port).status == 404)
    }
    #expect(callbackServer.asked.withLock { $0 }.isEmpty)
    #expect(try TestClient.get("/callback/one.example?code=C&state=S1", port: port).status == 303)
    // A refusal without a token applies to the only login on its path.
    #expect(try TestClient.get("/callback/two.example?error=access_denied", port: port).status == 303)
    #expect(callbackServer.asked.withLock { $0 } == ["S1": 1, "S2": 1])
  }

  @Test("a refusal not tied to any login ends the only pending login")
  func onlyLogin() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("T1")
    #expect(try TestClient.get("/callback?oauth_problem=user_refused", port: port).status == 303)
    #expect(callbackServer.asked.withLock { $0 } == ["T1": 1])
  }

  @Test(
    "an empty refusal does not end a login, regardless of its parameter", arguments: OAuthVersion.allCases,
    ["denied=", "denied", "oauth_problem=", "error=", "error", "denied=&error="])
  func emptyRefusal(version: OAuthVersion, query: String) throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("K1", version: version)
    #expect(try TestClient.get("/callback?\(query)", port: port).status == 400)
    #expect(callbackServer.asked.withLock { $0 }.isEmpty)
  }

  @Test(
    "a login cannot be completed with parameters from another OAuth version, or from several versions",
    arguments: [
      (.oauth2, "oauth_token=K1&oauth_verifier=V"), (.oauth2, "oauth_token=K1&oauth_verifier="), (.oauth2, "denied=K1"),
      (.oauth2, "oauth_token=K1&oauth_problem=user_refused"), (.oauth2, "oauth_problem=user_refused"),
      (.oauth2, "code=C&state=K1&oauth_verifier=V"), (.oauth2, "code=C&state=K1&oauth_token=K1"),
      (.oauth2, "error=access_denied&state=K1&denied=K1"), (.oauth2, "code=C&state=K1&error=access_denied"),
      (.oauth2, "code=C&state=K1&error="), (.oauth2, "code=C&error=access_denied"),
      (.oauth1, "code=V&state=K1"), (.oauth1, "error=access_denied&state=K1"),
      (.oauth1, "oauth_token=K1&oauth_verifier=V&code=C"), (.oauth1, "oauth_token=K1&oauth_verifier=V&state=K1"),
      (.oauth1, "oauth_token=K1&oauth_verifier=V&denied=K1"), (.oauth1, "oauth_token=K1&denied=K2"),
      (.oauth1, "oauth_token=K1&oauth_verifier=V&oauth_problem=user_refused"),
      (.oauth1, "oauth_token=K1&oauth_verifier=V&error=access_denied"), (.oauth1, "denied=K1&code=C"),
    ] as [(OAuthVersion, String)])
  func mixture(version: OAuthVersion, query: String) throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("K1", version: version)
    #expect(try TestClient.get("/callback?\(query)", port: port).status == 400)
    #expect(callbackServer.asked.withLock { $0 }.isEmpty)
    let response = version == .oauth1 ? "oauth_token=K1&oauth_verifier=V" : "code=C&state=K1"
    #expect(try TestClient.get("/callback?\(response)", port: port).status == 303)
    #expect(callbackServer.asked.withLock { $0 } == ["K1": 1])
  }

  @Test("concurrent OAuth 1.0a and OAuth 2.0 logins each accept only callbacks with their own version's parameters")
  func bothVersions() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("K1", version: .oauth1)
    _ = try callbackServer.open("K2", version: .oauth2)
    for query in ["oauth_token=K2&oauth_verifier=V", "code=C&state=K1", "denied=K2", "error=x&state=K1"] {
      #expect(try TestClient.get("/callback?\(query)", port: port).status == 400)
    }
    #expect(callbackServer.asked.withLock { $0 }.isEmpty)
    #expect(try TestClient.get("/callback?oauth_token=K1&oauth_verifier=V", port: port).status == 303)
    #expect(try TestClient.get("/callback?code=C&state=K2", port: port).status == 303)
    #expect(callbackServer.asked.withLock { $0 } == ["K1": 1, "K2": 1])
  }

  @Test("a HEAD request for the callback gets the same response as GET, but does not affect a login")
  func head() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("T1")
    let client = try TestClient(port: port)
    try client.request("/callback?oauth_token=T1&oauth_verifier=V1", method: "HEAD")
    #expect(try client.readResponse(toHead: true).status == 303)
    #expect(callbackServer.asked.withLock { $0 }.isEmpty)
  }

  @Test("a login whose browser never returned does not keep the port open")
  func noBrowser() async throws {
    let callbackServer = try CallbackFixture()
    let (ticket, port) = try callbackServer.open("T1")
    await callbackServer.close(ticket, "Authorised by a PIN")
    #expect(throws: (any Error).self) { try TestClient(port: port) }
  }

  @Test("a result page with an unknown id is not found, even if its path has the right prefix")
  func unknownPage() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("T1")
    #expect(try TestClient.get("/callback/done/", port: port).status == 404)
    #expect(try TestClient.get("/callback/done/0123456789abcdef0123456789abcdef", port: port).status == 404)
  }

  @Test("if the callback port is in use, the error names the program that uses it and the setting to change")
  func taken() throws {
    let callbackServer = try CallbackFixture()
    let (_, port) = try callbackServer.open("T1")
    let other = CallbackServer(CallbackSettings(port: port))
    let failure = #expect(throws: OperationError.self) {
      try other.open(version: .oauth1) { _, reply in reply(nil) }
    }
    #expect(failure?.kind == .cannotCreate)
    #expect(failure?.message.contains("process \(ProcessEnvironment.processID)") == true)
    #expect(failure?.message.contains("callback.port") == true)
  }

  @Test("the next login gets the callback port as soon as the previous one has ended")
  func takesOver() async throws {
    let callbackServer = try CallbackFixture()
    var (ticket, port) = try callbackServer.open("T1")
    for round in 2...50 {
      callbackServer.callbackServer.close(ticket, showing: CallbackPage("Authorised")) {}
      let next = try callbackServer.open("T\(round)")
      #expect(next.port == port)
      ticket = next.ticket
    }
    #expect(try TestClient.get("/callback?oauth_token=T50&oauth_verifier=V", port: port).status == 303)
    #expect(callbackServer.asked.withLock { $0 } == ["T50": 1])
  }

  @Test("when two logins use the same port, the second continues after the first has ended")
  func twoLogins() async throws {
    let callbackServer = try CallbackFixture()
    let (first, port) = try callbackServer.open("T1")
    let (second, _) = try callbackServer.open("T2")
    #expect(try TestClient.get("/callback?oauth_token=T1&oauth_verifier=V", port: port).status == 303)
    let end = DispatchGroup()
    end.enter()
    callbackServer.callbackServer.close(first, showing: CallbackPage("First")) { end.leave() }
    let response = try TestClient.get("/callback?oauth_token=T2&oauth_verifier=V", port: port)
    #expect(response.status == 303)
    let page = try TestClient(port: port)
    try page.request(try #require(location(response)))
    callbackServer.callbackServer.close(second, showing: CallbackPage("Second")) {}
    #expect(try page.readResponse().text.contains("Second"))
    #expect(callbackServer.asked.withLock { $0 } == ["T1": 1, "T2": 1])
  }

  @Test("a pending login keeps its port and path after a reload, and the next login uses the new ones")
  func reconfigured() async throws {
    let callbackServer = try CallbackFixture(anyPort: true)
    let (old, oldPort) = try callbackServer.open("T1")
    callbackServer.callbackServer.reconfigure(CallbackSettings(port: 0, path: "/back"))
    let (_, samePort) = try callbackServer.open("T2")
    #expect(samePort == oldPort)
    #expect(try TestClient.get("/callback?oauth_token=T1&oauth_verifier=V", port: oldPort).status == 303)
    let response = try TestClient.get("/back?oauth_token=T2&oauth_verifier=V", port: oldPort)
    #expect(location(response)?.hasPrefix("/back/done/") == true)
    let another = try ReservedPort()
    defer { withExtendedLifetime(another) {} }
    callbackServer.callbackServer.reconfigure(CallbackSettings(port: another.port, path: "/third"))
    let (_, newPort) = try callbackServer.open("T3")
    #expect(newPort == another.port)
    #expect(try TestClient.get("/third?oauth_token=T3&oauth_verifier=V", port: newPort).status == 303)
    #expect(try TestClient.get("/callback?oauth_token=T1&oauth_verifier=V", port: oldPort).status == 303)
    #expect(try TestClient.get("/callback", port: newPort).status == 404)
    callbackServer.callbackServer.close(old, showing: CallbackPage("Old")) {}
  }

  @Test("a port passed by a service manager responds even without a pending login, and every login uses it")
  func adopted() async throws {
    let callbackServer = try CallbackFixture(anyPort: true)
    let handed = try BoundSocket()
    let port = handed.port
    try callbackServer.callbackServer.adopt(try AdoptedSockets(owning: [try handed.handOver()]))
    for token in ["T1", "T2"] {
      #expect(try TestClient.get("/callback?oauth_token=\(token)&oauth_verifier=V", port: port).status == 404)
      #expect(try TestClient.get("/", port: port).status == 404)
      let (ticket, used) = try callbackServer.open(token)
      #expect(used == port)
      #expect(try TestClient.get("/callback?denied=\(token)", port: port).status == 303)
      callbackServer.callbackServer.close(ticket, showing: CallbackPage("Over")) {}
    }
    #expect(callbackServer.asked.withLock { $0 } == ["T1": 1, "T2": 1])
  }

  @Test("logins configured for a different port ignore a port passed by a service manager")
  func adoptedElsewhere() async throws {
    let handed = try BoundSocket()
    let callbackServer = try CallbackFixture()
    try callbackServer.callbackServer.adopt(try AdoptedSockets(owning: [try handed.handOver()]))
    let (_, port) = try callbackServer.open("T1")
    #expect(port == callbackServer.reserved.port && port != handed.port)
    #expect(try TestClient.get("/callback?oauth_token=T1&oauth_verifier=V", port: port).status == 303)
  }
}
