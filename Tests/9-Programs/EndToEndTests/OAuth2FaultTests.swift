import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// OAuth 2.0 logins where the server or the network fails at one step. The failure is reported, and nothing is left behind.
@Suite("Faults during an OAuth 2.0 login") struct OAuth2FaultTests {
  private func checkNothingLeft(_ folder: String, _ daemon: RunningDaemon, _ fault: LoginFault) async throws {
    let left = File.exists(folder) ? try Folder.names(in: folder) : []
    #expect(left == [], "\(fault.name)")
    #expect(try await daemon.becomesIdle(), "\(fault.name)")
  }

  @Test(
    "If the token request fails, the code is not sent again, nothing is stored, and the browser shows the failure"
  )
  func token() async throws {
    let steps = Locked<[RawServer.Step]>([])
    let requests = Locked(0)
    let server = try RawServer { _ in
      requests.withLock { $0 += 1 }
      return steps.withLock { $0 }
    }
    let fixture = try XFixture()
    try fixture.configure(at: fixture.server.baseURL, elsewhere: ["token": "\(server.base)/token"])
    let daemon = try await RunningDaemon(fixture.home)
    let good = #"{"token_type":"bearer","access_token":"abcdefgh","expires_in":7200}"#
    for fault in try await LoginFault.all(cutting: good) {
      steps.withLock { $0 = fault.steps }
      requests.withLock { $0 = 0 }
      let (events, page) = try await daemon.attemptLogin("bird")
      #expect(page.contains("<h1>Not authorised</h1>"), "\(fault.name): \(page)")
      #expect(events.contains(#""exit":69"#), "\(fault.name): \(events)")
      #expect(events.contains(fault.expectedText), "\(fault.name): \(events)")
      #expect(requests.withLock { $0 } == 1, "\(fault.name)")
      try await checkNothingLeft("\(fixture.home.path)/state/homeline/bird", daemon, fault)
    }
    try fixture.configure(at: fixture.server.baseURL)
    try await daemon.reload()
    let (events, page) = try await daemon.attemptLogin("bird")
    #expect(page.contains("Authorised as"), "\(events)")
    #expect(File.exists(fixture.tokenFile))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("If the server's metadata cannot be used, the login ends before a browser is opened")
  func metadata() async throws {
    let steps = Locked<[RawServer.Step]>([])
    let server = try RawServer { _ in steps.withLock { $0 } }
    let good = """
      {"issuer":"\(server.base)","authorization_endpoint":"\(server.base)/authorize",\
      "token_endpoint":"\(server.base)/token","code_challenge_methods_supported":["S256"],\
      "response_types_supported":["code"]}
      """
    let home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 },
        "accounts": { "key": { "provider": "oauth2", "client_id": "some", "issuer": "\(server.base)" } } }
      """)
    let daemon = try await RunningDaemon(home)
    for fault in try await LoginFault.all(cutting: good) {
      steps.withLock { $0 = fault.steps }
      let events = try await daemon.request("login", #"{"account":"key"}"#)
      #expect(events.contains(#""event":"end","exit":"#) && !events.contains(#""exit":0"#), "\(fault.name): \(events)")
      #expect(events.contains(fault.expectedText), "\(fault.name): \(events)")
      #expect(!events.contains(#""event":"address""#), "\(fault.name)")
      try await checkNothingLeft("\(home.path)/state/homeline/key", daemon, fault)
    }
    steps.withLock { $0 = [.send(RawHTTP.response(good))] }
    let (stream, address) = try await daemon.beginLogin("key")
    #expect(address.path == "/authorize")
    stream.close()
    #expect(await daemon.stop().outcome.code == 0)
  }
}
