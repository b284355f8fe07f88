import Glibc
import Platform
import TestSupport
import Testing

/// A running `homeline daemon` and its control socket.
struct RunningDaemon: Sendable {
  let program: ProgramRun
  /// The path of the service's control socket.
  let socket: String

  /// Starts the service and waits until it is ready.
  /// - Parameter life: the service is killed after this time.
  init(
    _ home: TestInstallation, _ arguments: [String] = [], _ variables: [String: String] = [:],
    life: Duration = .seconds(240)
  ) async throws {
    let program = try home.start(["daemon"] + arguments, variables, timeout: life)
    guard await program.line(containing: " is up: ", on: .error) != nil else {
      throw TestClient.Failure(description: "the service did not start: \(program.written(on: .error))")
    }
    try self.init(home, of: program)
  }

  /// Wraps a running service.
  init(_ home: TestInstallation, of program: ProgramRun) throws {
    self.program = program
    // The lock file contains the path of the control socket.
    socket = try #require(try JSONValue(file: home.lock)["control_socket"].text)
  }

  /// The log output so far.
  var log: String { program.written(on: .error) }

  /// Sends a command over its own connection, and lets the test read its events there.
  func command(_ path: String, _ body: String = "{}") throws -> TestClient {
    let client = try TestClient(unix: socket)
    let lines = [
      "POST /v1/\(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)", "Connection: close",
    ]
    try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return client
  }

  /// Sends a command and reads its complete response.
  func request(_ path: String, _ body: String = "{}") async throws -> String {
    try await OwnThread.run {
      String(decoding: try command(path, body).receiveToEnd(), as: UTF8.self)
    }
  }

  func status() async throws -> JSONValue {
    try await OwnThread.run {
      let client = try TestClient(unix: socket)
      try client.request("/v1/status", fields: ["Connection: close"])
      return try JSONValue(client.readResponse().body)
    }
  }

  /// Waits until no account has any work in progress.
  /// - Returns: whether all work ended in time.
  func becomesIdle() async throws -> Bool {
    try await eventually { try await status()["accounts"].items.allSatisfy { $0["activity"].text == "idle" } }
  }

  /// Starts a login over the control socket.
  /// - Returns: the connection, which keeps the login pending, and the authorisation address.
  func beginLogin(_ account: String) async throws -> (stream: TestClient, address: LocalURL) {
    try await OwnThread.run {
      let stream = try command("login", #"{"account":"\#(account)"}"#)
      return (stream, try Self.address(in: stream))
    }
  }

  /// Reads a login's events up to the one that contains the address.
  static func address(in stream: TestClient) throws -> LocalURL {
    var text = ""
    while true {
      let more = try stream.receive()
      text += String(decoding: more, as: UTF8.self)
      if let line = text.split(whereSeparator: \.isNewline).first(where: { $0.contains(#""event":"address""#) }),
        let address = try JSONValue(Array(line.utf8))["url"].text
      {
        return try LocalURL(address)
      }
      if more.isEmpty { throw TestClient.Failure(description: "no address was printed: \(text)") }
    }
  }

  /// Authorises an account, with the test as the browser, and waits for its first refresh.
  func logIn(_ account: String = "demo") async throws {
    let (events, _) = try await attemptLogin(account)
    try #require(events.contains(#""event":"end","exit":0"#), "\(account): \(events) \(log)")
  }

  /// Logs in, regardless of the outcome.
  /// - Returns: the service's events, and the result page.
  func attemptLogin(_ account: String) async throws -> (events: String, page: String) {
    let (stream, address) = try await beginLogin(account)
    return try await OwnThread.run {
      let browser = ScriptedBrowser()
      let page = try browser.follow(browser.grant(at: address)).text
      return (String(decoding: try stream.receiveToEnd(), as: UTF8.self), page)
    }
  }

  /// Makes the service reload its configuration, which must succeed.
  func reload() async throws {
    let events = try await request("reload")
    try #require(events.contains(#""event":"end","exit":0"#), "\(events)")
  }

  /// Sends a signal and waits for the service to exit.
  /// - Returns: the outcome of the service, and how long it took to exit.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) async -> (outcome: ProgramRun.Outcome, after: Duration) {
    let clock = ContinuousClock()
    let begun = clock.now
    program.signal(signal)
    let outcome = await program.end()
    return (outcome, clock.now - begun)
  }
}
