import Platform
import TestSupport
import Testing

/// Malicious pages open in Chromium during a login.
@Suite("Malicious pages during a login") struct HostileOriginTests {
  @Test(
    "A page from another origin learns nothing from the listener and can neither complete nor end the login",
    .needsPeers)
  func page() async throws {
    let abused = try await LoginUnderAttack()
    let target = "http://\(abused.callback.authority)\(abused.callback.path)"
    let outcome = try await ProgramRun.run(
      try #require(Peers.python), [Peers.path(of: "hostile_origin.py"), target],
      environment: ProcessEnvironment.variables(), timeout: .seconds(120))
    if outcome.code == 77 {
      await abused.login.giveUp()
      try skipTest("\(outcome.output)")
    }
    try #require(outcome.code == 0, "\(outcome.output) \(outcome.error)")
    let report = try JSONValue(Array(outcome.output.utf8))
    #expect(outcome.output.contains(#""learned": []"#), "\(outcome.output)")
    #expect(report["rebound"].integer == 421, "\(outcome.output)")
    // The pages of both origins have tried every method. To a page, a request that the browser blocks looks like one
    // that fails.
    for origin in ["127.0.0.1", "attacker.example"] {
      for way in [
        "fetch", "fetch no-cors", "img", "script", "iframe", "form", "websocket", "event stream", "speculation rules",
      ] {
        #expect(report["tried"][origin][way].text != nil, "\(way) from \(origin)")
      }
    }
    try await abused.finish()
  }
}
