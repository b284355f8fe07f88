import Glibc
import Platform
import TestSupport
import Testing

/// `homeline login --device` with Authlib's device grant (RFC 8628).
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct DeviceLoginTests {
  /// Returns an installation with the `bird` account on the server, which itself occupies the account's callback port.
  private func home(_ server: OAuth2PeerServer, more: String? = nil) throws -> TestInstallation {
    let home = try TestInstallation()
    let members = more ?? #""issuer": "\#(server.issuer)""#
    try home.configure(
      """
      { "callback": { "port": \(try LocalURL(server.url + "/").port) }, "accounts": { "bird": {
        "provider": "oauth2", "client_id": "\(server.clientID)", "scopes": ["profile"], \(members) } } }
      """)
    return home
  }

  private static let quick = ["--client-auth", "none", "--device-interval", "1"]

  private func server(_ more: String...) async throws -> OAuth2PeerServer {
    try await OAuth2PeerServer(Self.quick + more)
  }

  /// Starts the login and waits for the user code.
  private func begin(_ home: TestInstallation, _ more: String...) async throws -> (login: ProgramRun, code: String) {
    let login = try home.start(["login", "bird", "--device"] + more)
    guard await login.line(containing: "Waiting for the authorisation", on: .error) != nil else {
      throw TestClient.Failure(description: "no code was printed: \(await login.end().error)")
    }
    let lines = login.written(on: .output).split(separator: "\n")
    return (login, String(try #require(lines.last)))
  }

  /// Approves or denies the login on the server's device page.
  private func decide(_ action: String, _ code: String, at server: OAuth2PeerServer) async throws {
    let address = try LocalURL(try #require(server.endpoints["device"]))
    let response = try await OwnThread.run {
      try ScriptedBrowser().send(
        "POST", address, fields: ["Content-Type: application/x-www-form-urlencoded"],
        body: "user_code=\(code)&action=\(action)")
    }
    #expect(response.status == 200, "\(response.text)")
  }

  @Test(
    "`homeline login --device` prints a URL and a code, opens no port, and stores the token once the user approves"
  )
  func agreed() async throws {
    let server = try await server()
    let home = try home(server)
    #expect(try await home.run("login", "bird", "--no-browser").code == 73, "the callback port is in use")
    let (login, code) = try await begin(home)
    #expect(login.written(on: .output) == "\(server.endpoints["device"]!)\n\(code)\n")
    #expect(!login.written(on: .error).contains("\u{1b}"), "a QR code is printed only on terminals")
    try await decide("allow", code, at: server)
    let outcome = await login.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("Authorised. The server does not say who you are."))
    let token = try JSONValue(file: "\(home.path)/state/homeline/bird/token.json")
    #expect(token["kind"].text == "oauth2")
    #expect(try await home.run("token", "bird").output == "\(try #require(token["access_token"].text))\n")
  }

  @Test("A device login exits with 77 if the user denies it or the code expires")
  func notAgreed() async throws {
    let server = try await server()
    let home = try home(server)
    let (refused, code) = try await begin(home)
    try await decide("deny", code, at: server)
    let no = await refused.end()
    #expect(no.code == 77 && no.error.contains("you refused"), "\(no.error)")
    try await server.control(#"{"device_life": 2}"#)
    let (late, _) = try await begin(home)
    let expired = await late.end()
    #expect(expired.code == 77 && expired.error.contains("was not entered within the 2 s"), "\(expired.error)")
    try await server.control(#"{"device_life": 600}"#)
    let (own, _) = try await begin(home, "--timeout", "1")
    #expect(await own.end().code == 77)
    #expect(!File.exists("\(home.path)/state/homeline/bird/token.json"))
  }

  @Test("A device login survives a server outage, and does not block the account's other commands")
  func outage() async throws {
    let server = try await server()
    let home = try home(server)
    let (login, code) = try await begin(home)
    try await server.control(#"{"fault": "503", "fault_at": "device", "fault_next": 1}"#)
    let other = try await home.run("token", "bird")
    #expect(other.code == 77 && other.error.contains("not authorised yet"))
    #expect(try await eventually { try server.seen().contains { $0.fault == "503" } })
    try await decide("allow", code, at: server)
    let outcome = await login.end()
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  @Test("Ctrl-C ends a device login")
  func interrupted() async throws {
    let server = try await server()
    let home = try home(server)
    let (login, _) = try await begin(home)
    login.signal(SIGINT)
    #expect(await login.end().code == 128 + SIGINT)
    #expect(!File.exists("\(home.path)/state/homeline/bird/token.json"))
  }

  @Test("`homeline login --device` reports a missing endpoint and an unsupported protocol")
  func noDevices() async throws {
    let server = try await server()
    let endpoints = ["authorize", "token"].map { #""\#($0)": "\#(server.endpoints[$0]!)""# }.joined(separator: ", ")
    let home = try home(server, more: #""endpoints": { \#(endpoints) }"#)
    let without = try await home.run("login", "bird", "--device")
    #expect(without.code == 78 && without.error.contains("endpoints.device_authorization"), "\(without.error)")
    let signed = try await TestInstallation().run("login", "demo", "--device")
    #expect(signed.code == 78 && signed.error.contains("OAuth 1.0a"))
    let both = try await home.run("login", "bird", "--device", "--pin")
    #expect(both.code == 64 && both.error.contains("cannot be combined"))
  }

  @Test(
    "The login URL is shown as a QR code on a wide terminal, but not on a narrow one")
  func picture() async throws {
    let server = try await server()
    let home = try home(server)
    for (columns, isShown) in [(120, true), (20, false)] {
      let line = "stty cols \(columns); exec '\(ProgramRun.product("homeline"))' login bird --device --timeout 1"
      let outcome = try await ProgramRun.run(
        "script", ["--quiet", "--return", "--command", line, "/dev/null"],
        environment: home.environment(["NO_COLOR": "1", "TERM": "xterm"]))
      #expect(outcome.output.contains("type this code"), "\(outcome.output)")
      #expect(outcome.output.contains("\u{1b}[38;5;16;48;5;231m") == isShown)
      #expect(outcome.output.contains("▀") == isShown)
    }
  }
}
