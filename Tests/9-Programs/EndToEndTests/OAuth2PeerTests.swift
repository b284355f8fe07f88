import TestSupport
import Testing

/// The OAuth 2.0 test server, as seen by Authlib's own client.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct OAuth2PeerTests {
  private static let checks: Set = [
    "metadata", "metadata_switches", "login", "issuer", "user_refuses", "pkce", "unknown_redirect",
    "other_authentication", "code_twice", "late_code", "rotation", "reuse", "other_rotations", "dead_tokens",
    "race", "lost_answers", "refused_answers", "chance", "revocation", "device",
  ]

  @Test(
    "With each client authentication method, the test server accepts Authlib's client and refuses invalid requests",
    arguments: ["none", "basic", "post"])
  func walk(authentication: String) async throws {
    let server = try await OAuth2PeerServer(["--client-auth", authentication])
    let client = try Peers.start(
      "oauth2_walk.py",
      [
        server.url, "--client-id", server.clientID, "--client-secret", server.clientSecret, "--client-auth",
        authentication,
      ], input: .nothing)
    let outcome = await client.end()
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    guard case .object(let report) = try JSONValue(Array(outcome.output.utf8)) else {
      Issue.record("no report: \(outcome.output)")
      return
    }
    #expect(Set(report.keys) == Self.checks)
    #expect(report.values.allSatisfy { $0 == .boolean(true) })
  }

  @Test("Changed options of the test server take effect with the next request, and appear in the counts and the log")
  func control() async throws {
    let server = try await OAuth2PeerServer(["--metadata", "404"])
    let metadata = server.issuer + "/.well-known/oauth-authorization-server"
    #expect(try await ScriptedBrowser.visit(metadata).status == 404)
    try await server.control(#"{"metadata": "right", "fault": "503", "fault_at": "metadata", "fault_next": 1}"#)
    let refusal = try await ScriptedBrowser.visit(metadata)
    #expect(refusal.status == 503)
    #expect(refusal.head.contains("\r\nRetry-After: 1\r\n"))
    let document = try JSONValue(Array(try await ScriptedBrowser.visit(metadata).text.utf8))
    #expect(document["issuer"].text == server.issuer)
    #expect(document["token_endpoint"].text == server.endpoints["token"])
    #expect(try await server.count("metadata_asked") == 2)
    #expect(try server.seen().map(\.status) == [404, 503, 200])
    #expect(try server.seen().map(\.fault) == [nil, "503", nil])
  }

  @Test(
    "The test server refuses unknown options and changes nothing",
    arguments: [
      #"{"rotation": "none", "no_such_switch": 1}"#, #"{"rotation": "none", "token_life": "long"}"#,
      #"{"rotation": "none", "iss": "left"}"#, #"{"rotation": "none", "do": "nothing"}"#, "{", "[]",
    ])
  func misunderstanding(orders: String) async throws {
    let server = try await OAuth2PeerServer()
    await #expect(throws: TestClient.Failure.self) { try await server.control(orders) }
    #expect(try await server.switched("rotation") == .string("kill"))
  }
}
