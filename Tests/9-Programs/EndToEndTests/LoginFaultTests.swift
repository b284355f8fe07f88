import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// OAuth 1.0a logins where the provider or the network fails at one step. The failure is reported, and nothing is left behind.
@Suite("Faults during an OAuth 1.0a login") struct LoginFaultTests {
  /// A service whose provider works except for one endpoint, whose response the test chooses.
  private struct FaultyProvider {
    let fixture: TwitterFixture
    let daemon: RunningDaemon
    let server: RawServer
    let steps: Locked<[RawServer.Step]>

    init(_ endpoint: String) async throws {
      let steps = Locked<[RawServer.Step]>([])
      self.steps = steps
      server = try RawServer { _ in steps.withLock { $0 } }
      fixture = try TwitterFixture()
      try fixture.configure([("demo", fixture.account("", elsewhere: [endpoint: "\(server.base)/\(endpoint)"]))])
      daemon = try await RunningDaemon(fixture.home)
    }

    /// Checks that the failed login left no files and no pending work.
    func checkNothingLeft(_ fault: LoginFault) async throws {
      let state = fixture.home.stateFolder
      let left = File.exists(state) ? try fixture.home.names(in: state) : []
      #expect(left == [], "\(fault.name)")
      #expect(try fixture.home.temporaryFiles() == [], "\(fault.name)")
      #expect(try await daemon.becomesIdle(), "\(fault.name)")
    }

    /// Checks that a login then succeeds with the provider's own endpoint.
    func recover() async throws {
      try fixture.configure(["demo"], #""keep_posts": 20"#)
      try await daemon.reload()
      try await daemon.logIn()
      #expect(try JSONValue(file: fixture.home.timeline(of: "demo"))["posts"].items.count == 20)
      #expect(await daemon.stop().outcome.code == 0)
    }
  }

  private static let tokens = "oauth_token=abcdefgh&oauth_token_secret=ijklmnop&oauth_callback_confirmed=true"

  @Test("If the request for a request token fails, the login ends before a browser is opened")
  func requestToken() async throws {
    let provider = try await FaultyProvider("request_token")
    for fault in try await LoginFault.all(cutting: Self.tokens) {
      provider.steps.withLock { $0 = fault.steps }
      let events = try await provider.daemon.request("login", #"{"account":"demo"}"#)
      #expect(events.contains(#""exit":69"#), "\(fault.name): \(events)")
      #expect(events.contains(fault.expectedText), "\(fault.name): \(events)")
      #expect(!events.contains(#""event":"address""#), "\(fault.name)")
      try await provider.checkNothingLeft(fault)
    }
    try await provider.recover()
  }

  @Test("If the request for the access token fails, nothing is stored and the browser shows the failure")
  func accessToken() async throws {
    let provider = try await FaultyProvider("access_token")
    for fault in try await LoginFault.all(cutting: Self.tokens) {
      provider.steps.withLock { $0 = fault.steps }
      let (stream, address) = try await provider.daemon.beginLogin("demo")
      let (page, events) = try await OwnThread.run {
        let browser = ScriptedBrowser()
        let page = try browser.follow(browser.grant(at: address))
        return (page.text, String(decoding: try stream.receiveToEnd(), as: UTF8.self))
      }
      #expect(page.contains("<h1>Not authorised</h1>"), "\(fault.name): \(page)")
      #expect(events.contains(#""exit":69"#), "\(fault.name): \(events)")
      #expect(events.contains(fault.expectedText), "\(fault.name): \(events)")
      try await provider.checkNothingLeft(fault)
    }
    try await provider.recover()
  }

  @Test("If the request for the user fails, a token whose response named the user is still stored")
  func user() async throws {
    let provider = try await FaultyProvider("verify_credentials")
    for fault in try await LoginFault.all(cutting: #"{"id":1,"id_str":"1","screen_name":"a"}"#) {
      provider.steps.withLock { $0 = fault.steps }
      let events = try await provider.daemon.attemptLogin("demo").events
      #expect(events.contains(#""exit":0"#), "\(fault.name): \(events)")
      let token = try JSONValue(file: provider.fixture.home.token(of: "demo"))
      #expect(token["user"]["screen_name"].text == SandboxUser.screenName, "\(fault.name)")
      #expect(try provider.fixture.home.temporaryFiles() == [], "\(fault.name)")
    }
    try await provider.recover()
  }
}
