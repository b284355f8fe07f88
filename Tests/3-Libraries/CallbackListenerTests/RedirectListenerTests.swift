import CallbackListener
import TestSupport
import Testing

@Suite("Waiting for a login's redirect", .timeLimit(.minutes(2))) struct RedirectListenerTests {
  private static let page = CallbackPage("Logged in", "You can close this window.")

  /// Returns the path that a 303 response redirects the browser to.
  private static func location(_ response: TestClient.Answer) -> String? {
    response.head.split(separator: "\r\n").first { $0.hasPrefix("Location: ") }.map { String($0.dropFirst(10)) }
  }

  /// Sends a request from a separate thread, because the listener answers a redirect only when the wait for it has
  /// begun.
  private static func get(
    _ path: String, from port: UInt16, overIPv6: Bool = false
  ) async throws -> TestClient.Answer {
    try await withCheckedThrowingContinuation { continuation in
      OwnThread.start {
        continuation.resume(with: Result { try TestClient.get(path, port: port, overIPv6: overIPv6) })
      }
    }
  }

  @Test(
    "the expected redirect is delivered only once, and its browser gets the page with the outcome",
    arguments: [false, true])
  func delivered(overIPv6: Bool) async throws {
    let listener = try RedirectListener(application: "Example")
    #expect(listener.redirectURI == "http://127.0.0.1:\(listener.port)/callback")
    async let redirect = listener.redirect(within: .seconds(60)) { $0.query == "code=C&state=S" }
    let response = try await Self.get("/callback?code=C&state=S", from: listener.port, overIPv6: overIPv6)
    let received = try await redirect
    #expect(received.query == "code=C&state=S")
    #expect(received.isNavigation)
    let path = try #require(Self.location(response))
    #expect(!path.contains("code"))
    let browser = try TestClient(port: listener.port)
    try browser.request(path)
    await listener.close(showing: Self.page)
    let shown = try browser.readResponse()
    #expect(shown.status == 200)
    #expect(shown.text.contains("<h1>Logged in</h1>"))
    #expect(shown.text.contains("Example, on this computer"))
    #expect(throws: (any Error).self) { try TestClient(port: listener.port) }
  }

  @Test("requests that differ from the callback in path, method, host or parameters get a response and change nothing")
  func strangers() async throws {
    let listener = try RedirectListener(path: "/back")
    let port = listener.port
    async let redirect = listener.redirect(within: .seconds(60)) { $0.query == "state=S" }
    #expect(try await Self.get("/favicon.ico", from: port).status == 404)
    #expect(try await Self.get("/callback?state=S", from: port).status == 404)
    #expect(try await Self.get("/back?state=T", from: port).status == 404)
    for (line, status) in [("POST /back", 405), ("HEAD /back?state=T", 404)] {
      let client = try TestClient(port: port)
      try client.send("\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
      #expect(try String(decoding: client.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "), "\(line)")
    }
    let rebound = try TestClient(port: port)
    try rebound.send("GET /back?state=S HTTP/1.1\r\nHost: evil.example:\(port)\r\nConnection: close\r\n\r\n")
    #expect(try String(decoding: rebound.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 421 "))
    #expect(try await Self.get("/back?state=S", from: port).status == 303)
    #expect(try await redirect.query == "state=S")
    await listener.close(showing: Self.page)
  }

  @Test("after many wrong redirects, the response is 429, and the expected redirect is still accepted")
  func guesses() async throws {
    let listener = try RedirectListener()
    let port = listener.port
    async let redirect = listener.redirect(within: .seconds(60)) { $0.query == "state=S" }
    var statuses: [Int] = []
    for guess in 0..<100 { statuses.append(try await Self.get("/callback?state=\(guess)", from: port).status) }
    #expect(statuses.allSatisfy { $0 == 404 || $0 == 429 })
    #expect(statuses.contains(429))
    _ = try await Self.get("/callback?state=S", from: port)
    #expect(try await redirect.query == "state=S")
  }

  @Test("a time limit ends the wait for a redirect, and the listener can wait again")
  func timeLimit() async throws {
    let listener = try RedirectListener()
    await #expect(throws: RedirectListenerError.timedOut) {
      try await listener.redirect(within: .milliseconds(1)) { _ in true }
    }
    async let redirect = listener.redirect(within: .seconds(60)) { _ in true }
    _ = try await Self.get("/callback?state=S", from: listener.port)
    #expect(try await redirect.query == "state=S")
  }

  @Test("cancelling the task ends the wait for a redirect")
  func cancelled() async throws {
    let listener = try RedirectListener()
    let task = Task { try await listener.redirect(within: .seconds(60)) { _ in true } }
    task.cancel()
    await #expect(throws: RedirectListenerError.cancelled) { try await task.value }
  }

  @Test("closing the listener ends every current and later wait, and immediately frees a port without a redirect")
  func closed() async throws {
    let listener = try RedirectListener()
    let redirect = Task { try await listener.redirect(within: .seconds(60)) { _ in true } }
    await listener.close(showing: Self.page)
    await #expect(throws: RedirectListenerError.closed) { try await redirect.value }
    await #expect(throws: RedirectListenerError.closed) {
      try await listener.redirect(within: .seconds(60)) { _ in true }
    }
    _ = try RedirectListener(port: listener.port)
  }

  @Test(
    "a redirect that arrives before the wait is delivered when the wait begins, and refused when the listener is closed"
  )
  func early() async throws {
    let listener = try RedirectListener()
    let browser = try TestClient(port: listener.port)
    try browser.request("/callback?state=S")
    let stranger = try TestClient(port: listener.port)
    try stranger.request("/callback?state=T")
    #expect(try await listener.redirect(within: .seconds(60)) { $0.query == "state=S" }.query == "state=S")
    #expect(try browser.readResponse().status == 303)
    #expect(try stranger.readResponse().status == 404)
    let other = try RedirectListener()
    let late = try TestClient(port: other.port)
    try late.request("/callback?state=S")
    await other.close(showing: Self.page)
    await #expect(throws: RedirectListenerError.closed) {
      try await other.redirect(within: .seconds(60)) { _ in true }
    }
  }

  @Test("a listener that is closed as soon as the redirect has arrived still shows the result page")
  func closedAtOnce() async throws {
    for _ in 0..<50 {
      let listener = try RedirectListener()
      async let visit = Self.follow(at: listener.port)
      _ = try await listener.redirect(within: .seconds(60)) { _ in true }
      await listener.close(showing: Self.page)
      let (status, page) = try await visit
      #expect(status == 303)
      #expect(page.contains("Logged in"))
    }
  }

  /// Opens the callback as a browser does, and follows the redirect to the result. The function uses a separate thread,
  /// because its reads block and all tests share the threads of Swift's concurrency.
  private static func follow(at port: UInt16) async throws -> (status: Int, page: String) {
    try await withCheckedThrowingContinuation { continuation in
      OwnThread.start {
        continuation.resume(
          with: Result {
            let browser = try TestClient(port: port)
            try browser.request("/callback?state=S")
            let response = try browser.readResponse()
            try browser.request(location(response) ?? "/")
            return (response.status, try browser.readResponse().text)
          })
      }
    }
  }

  @Test("only one call can wait for a redirect at a time")
  func alreadyWaiting() async throws {
    let listener = try RedirectListener()
    let outcomes = await withTaskGroup(of: RedirectListenerError?.self) { group in
      for _ in 0..<2 {
        group.addTask {
          do throws(RedirectListenerError) {
            _ = try await listener.redirect(within: .seconds(60)) { _ in true }
            return nil
          } catch { return error }
        }
      }
      let first = await group.next()
      await listener.close(showing: Self.page)
      return [first, await group.next()]
    }
    #expect(outcomes == [.alreadyWaiting, .closed])
  }

  @Test("the error for a callback port in use contains the address and the port")
  func taken() throws {
    let first = try RedirectListener()
    #expect(throws: RedirectListenerError.portInUse(address: "127.0.0.1", port: first.port)) {
      try RedirectListener(port: first.port)
    }
  }

  @Test("the redirect URI contains localhost for providers that require a name")
  func localhost() throws {
    let listener = try RedirectListener(path: "/", host: .localhost)
    #expect(listener.redirectURI == "http://localhost:\(listener.port)/")
  }

  @Test(
    "a callback path that is invalid in a URL is refused",
    arguments: ["", "callback", "/a b", "/a?b", "/a#b", "/%41", "/é"])
  func paths(path: String) {
    #expect(throws: RedirectListenerError.invalidPath(path)) { try RedirectListener(path: path) }
  }

  @Test("printing a redirect does not show its query")
  func secrecy() async throws {
    let listener = try RedirectListener()
    async let redirect = listener.redirect(within: .seconds(60)) { _ in true }
    _ = try await Self.get("/callback?code=hidden", from: listener.port)
    let received = try await redirect
    var dumped = ""
    dump(received, to: &dumped)
    #expect(!"\(received)\(dumped)".contains("hidden"))
  }
}
