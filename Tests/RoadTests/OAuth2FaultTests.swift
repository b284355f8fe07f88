import Platform
import Sandbox
import TestSupport
import Testing

/// OAuth 2.0 logins whose server or network fails at one step: the error is reported, and nothing is left behind.
@Suite("Faults during an OAuth 2.0 login") struct OAuth2FaultTests {
  private func checkNothingLeft(_ folder: String, _ daemon: RunningDaemon, _ fault: LoginFault) async throws {
    let left = File.exists(folder) ? try Folder.names(in: folder) : []
    #expect(left == [], "\(fault.name)")
    #expect(try await daemon.becomesIdle(), "\(fault.name)")
  }

  /// Approves at the simulated X and follows the redirects to the result page.
  private func grant(_ daemon: RunningDaemon) async throws -> (page: String, said: String) {
    let (stream, address) = try await daemon.beginLogin("bird")
    return try await PlainBrowser.onThreadOfItsOwn {
      let browser = PlainBrowser()
      let answer = try browser.send(
        "POST", PlainAddress(address, target: address.path),
        fields: ["Content-Type: application/x-www-form-urlencoded"],
        body: address.target.dropFirst(address.path.count + 1) + "&action=allow")
      let page = try browser.follow(browser.redirect(of: answer))
      return (page.text, String(decoding: try stream.receiveToEnd(), as: UTF8.self))
    }
  }

  @Test("A fault at the token endpoint exchanges the code once, stores nothing, and is reported in the browser")
  func token() async throws {
    let steps = Locked<[RawServer.Step]>([])
    let asked = Locked(0)
    let server = try RawServer { _ in
      asked.withLock { $0 += 1 }
      return steps.withLock { $0 }
    }
    let bird = try BearerHome()
    try bird.configure(at: bird.server.baseURL, elsewhere: ["token": "\(server.base)/token"])
    let daemon = try await RunningDaemon(bird.home)
    let good = #"{"token_type":"bearer","access_token":"abcdefgh","expires_in":7200}"#
    for fault in try await LoginFault.all(cutting: good) {
      steps.withLock { $0 = fault.steps }
      asked.withLock { $0 = 0 }
      let (page, said) = try await grant(daemon)
      #expect(page.contains("<h1>Not authorised</h1>"), "\(fault.name): \(page)")
      #expect(said.contains(#""exit":69"#), "\(fault.name): \(said)")
      #expect(said.contains(fault.words), "\(fault.name): \(said)")
      #expect(asked.withLock { $0 } == 1, "\(fault.name)")
      try await checkNothingLeft("\(bird.home.path)/state/homeline/bird", daemon, fault)
    }
    try bird.configure(at: bird.server.baseURL)
    #expect(try await daemon.ask("reload").contains(#""exit":0"#))
    let (page, said) = try await grant(daemon)
    #expect(page.contains("Authorised as"), "\(said)")
    #expect(File.exists(bird.tokenFile))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A fault in the server's metadata ends the login before a browser opens")
  func metadata() async throws {
    let steps = Locked<[RawServer.Step]>([])
    let server = try RawServer { _ in steps.withLock { $0 } }
    let good = """
      {"issuer":"\(server.base)","authorization_endpoint":"\(server.base)/authorize",\
      "token_endpoint":"\(server.base)/token","code_challenge_methods_supported":["S256"],\
      "response_types_supported":["code"]}
      """
    let home = try RoadHome()
    try home.write(
      """
      { "callback": { "port": 0 },
        "accounts": { "key": { "provider": "oauth2", "client_id": "some", "issuer": "\(server.base)" } } }
      """, to: home.configuration)
    let daemon = try await RunningDaemon(home)
    for fault in try await LoginFault.all(cutting: good) {
      steps.withLock { $0 = fault.steps }
      let said = try await daemon.ask("login", #"{"account":"key"}"#)
      #expect(said.contains(#""event":"end","exit":"#) && !said.contains(#""exit":0"#), "\(fault.name): \(said)")
      #expect(said.contains(fault.words), "\(fault.name): \(said)")
      #expect(!said.contains(#""event":"address""#), "\(fault.name)")
      try await checkNothingLeft("\(home.path)/state/homeline/key", daemon, fault)
    }
    steps.withLock { $0 = [.send(HTTPBytes.answer(good))] }
    let (stream, address) = try await daemon.beginLogin("key")
    #expect(address.path == "/authorize")
    stream.close()
    #expect(await daemon.stop().outcome.code == 0)
  }
}
