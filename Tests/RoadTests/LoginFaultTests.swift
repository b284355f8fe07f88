import Platform
import Sandbox
import TestSupport
import Testing

/// OAuth 1.0a logins whose provider or network fails at one step: the error is reported, and nothing is left behind.
@Suite("Faults during an OAuth 1.0a login") struct LoginFaultTests {
  /// A service whose provider works except for one endpoint, which responds as the test says.
  private struct SpoiltProvider {
    let served: ServedHome
    let daemon: RunningDaemon
    let server: RawServer
    let steps: Locked<[RawServer.Step]>

    init(_ leg: String) async throws {
      let steps = Locked<[RawServer.Step]>([])
      self.steps = steps
      server = try RawServer { _ in steps.withLock { $0 } }
      served = try ServedHome()
      try served.configure([("demo", served.account("", elsewhere: [leg: "\(server.base)/\(leg)"]))])
      daemon = try await RunningDaemon(served.home)
    }

    /// Checks that the failed login left no files and no pending work.
    func checkNothingLeft(_ fault: LoginFault) async throws {
      let state = served.home.stateFolder
      let left = File.exists(state) ? try served.home.names(in: state) : []
      #expect(left == [], "\(fault.name)")
      #expect(try served.temporaryFiles() == [], "\(fault.name)")
      #expect(try await daemon.becomesIdle(), "\(fault.name)")
    }

    /// Checks that a login with the provider's own endpoint works afterwards.
    func recover() async throws {
      try served.configure(["demo"], #""keep_posts": 20"#)
      #expect(try await daemon.ask("reload").contains(#""exit":0"#))
      try await served.logIn(by: daemon)
      #expect(try JSONValue(file: served.timeline(of: "demo"))["posts"].items.count == 20)
      #expect(await daemon.stop().outcome.code == 0)
    }
  }

  private static let tokens = "oauth_token=abcdefgh&oauth_token_secret=ijklmnop&oauth_callback_confirmed=true"

  @Test("A fault at the request token ends the login before a browser opens")
  func requestToken() async throws {
    let provider = try await SpoiltProvider("request_token")
    for fault in try await LoginFault.all(cutting: Self.tokens) {
      provider.steps.withLock { $0 = fault.steps }
      let said = try await provider.daemon.ask("login", #"{"account":"demo"}"#)
      #expect(said.contains(#""exit":69"#), "\(fault.name): \(said)")
      #expect(said.contains(fault.words), "\(fault.name): \(said)")
      #expect(!said.contains(#""event":"address""#), "\(fault.name)")
      try await provider.checkNothingLeft(fault)
    }
    try await provider.recover()
  }

  @Test("A fault at the access token stores nothing and is reported in the browser")
  func accessToken() async throws {
    let provider = try await SpoiltProvider("access_token")
    for fault in try await LoginFault.all(cutting: Self.tokens) {
      provider.steps.withLock { $0 = fault.steps }
      let (stream, address) = try await provider.daemon.beginLogin("demo")
      let (page, said) = try await PlainBrowser.onThreadOfItsOwn {
        let browser = PlainBrowser()
        let page = try browser.follow(browser.grant(at: address))
        return (page.text, String(decoding: try stream.receiveToEnd(), as: UTF8.self))
      }
      #expect(page.contains("<h1>Not authorised</h1>"), "\(fault.name): \(page)")
      #expect(said.contains(#""exit":69"#), "\(fault.name): \(said)")
      #expect(said.contains(fault.words), "\(fault.name): \(said)")
      try await provider.checkNothingLeft(fault)
    }
    try await provider.recover()
  }

  @Test("A fault in the user request keeps a token whose own response named the user")
  func user() async throws {
    let provider = try await SpoiltProvider("verify_credentials")
    for fault in try await LoginFault.all(cutting: #"{"id":1,"id_str":"1","screen_name":"a"}"#) {
      provider.steps.withLock { $0 = fault.steps }
      let said = try await provider.served.events(ofLogin: "demo", by: provider.daemon)
      #expect(said.contains(#""exit":0"#), "\(fault.name): \(said)")
      let token = try JSONValue(file: provider.served.token(of: "demo"))
      #expect(token["user"]["screen_name"].text == SandboxProvider.userScreenName, "\(fault.name)")
      #expect(try provider.served.temporaryFiles() == [], "\(fault.name)")
    }
    try await provider.recover()
  }
}
