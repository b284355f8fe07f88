import Platform
import TestSupport
import Testing

/// Configured endpoints of an account whose issuer also has metadata.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct EndpointOverrideTests {
  @Test("A configured endpoint overrides the metadata, which still provides the other endpoints")
  func oneByOne() async throws {
    let server = try await OAuth2PeerServer()
    let authorize = try #require(server.endpoints["authorize"])
    let fixture = try OAuth2PeerFixture(
      server, members: #""endpoints": { "authorize": "\#(authorize)?configured=yes" }"#)
    let login = try await fixture.beginLogin()
    #expect(try login.parameter("configured") == "yes")
    _ = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await server.count("codes_answered") == 1)
  }

  @Test("A configured endpoint is used if the metadata lacks it, as the error suggests")
  func leftOut() async throws {
    let server = try await OAuth2PeerServer(["--metadata", "bare", "--device-interval", "1"])
    let without = try await OAuth2PeerFixture(server).home.run("login", "key", "--device")
    #expect(without.code == 78 && without.error.contains("endpoints.device_authorization"), "\(without.error)")
    let address = try #require(server.endpoints["device_authorization"])
    let fixture = try OAuth2PeerFixture(server, members: #""endpoints": { "device_authorization": "\#(address)" }"#)
    let login = try fixture.home.start(["login", "key", "--device"])
    #expect(
      await login.line(containing: "Waiting for the authorisation", on: .error) != nil, "\(login.written(on: .error))")
    #expect(login.written(on: .output).hasPrefix("\(server.endpoints["device"]!)\n"))
    login.signal(15)
    _ = await login.end()
  }

  @Test("`homeline logout` uses the configured revocation endpoint if the metadata has none")
  func revocation() async throws {
    let server = try await OAuth2PeerServer(["--metadata", "bare"])
    let address = try #require(server.endpoints["revoke"])
    let fixture = try OAuth2PeerFixture(server, members: #""endpoints": { "revoke": "\#(address)" }"#)
    try await fixture.logIn()
    let outcome = try await fixture.home.run("logout", "key")
    #expect(outcome.output.contains("revoked at the provider and deleted from this machine"), "\(outcome.output)")
    #expect(try await server.count("revocations") == 1)
  }
}
