import TestSupport
import Testing

/// Providers whose registered callback address differs from the one that homeline sends.
@Suite("A callback address that the provider refuses") struct RefusedCallbackTests {
  /// Responses that deny the request token: X's are XML or plain text, and MediaWiki's have status 200.
  private static let refusals = [
    RawHTTP.response(
      #"<?xml version="1.0"?><errors><error code="415">Callback URL not approved for this client application.</error></errors>"#,
      "403 Forbidden"),
    RawHTTP.response("Desktop applications only support the oauth_callback value 'oob'", "401 Unauthorized"),
    RawHTTP.response(
      "Error: oauth_callback must be set, and must be set to \"oob\" (case-sensitive), or the configured callback must be a prefix "
        + "of the supplied callback."),
  ]

  @Test(
    "If the provider denies a request token, the login prints the callback address to register and exits with 78",
    arguments: refusals)
  func requestToken(refusal: [UInt8]) async throws {
    let port = try ReservedPort()
    defer { withExtendedLifetime(port) {} }
    let provider = try RawServer { _ in [.send(refusal)] }
    let fixture = try TwitterFixture()
    try fixture.configure(
      [("demo", fixture.account("", elsewhere: ["request_token": "\(provider.base)/request_token"]))],
      callback: #""port": \#(port.port), "path": "/back/again""#)
    let outcome = try await fixture.home.run("login")
    #expect(outcome.code == 78, "\(outcome.error)")
    #expect(
      outcome.error.hasSuffix(" The address to register is http://127.0.0.1:\(port.port)/back/again\n"),
      "\(outcome.error)")
    #expect(outcome.output == "")
  }

  @Test("If callback.port is 0, the error first advises setting a fixed port")
  func varyingPort() async throws {
    let provider = try RawServer { _ in [.send(Self.refusals[1])] }
    let fixture = try TwitterFixture()
    try fixture.configure(
      [("demo", fixture.account("", elsewhere: ["request_token": "\(provider.base)/request_token"]))])
    let outcome = try await fixture.home.run("login")
    #expect(outcome.code == 78, "\(outcome.error)")
    #expect(outcome.error.contains("set callback.port in the configuration first"), "\(outcome.error)")
  }

  @Test("A login that times out prints the callback address to register")
  func silence() async throws {
    let port = try ReservedPort()
    defer { withExtendedLifetime(port) {} }
    let home = try TestInstallation(callback: #""port": \#(port.port)"#)
    let outcome = try await home.run("login", "--no-browser", "--timeout", "1")
    #expect(outcome.code == 77)
    #expect(
      outcome.error.contains(
        "nobody authorised homeline within 1 s. If the page showed an error"),
      "\(outcome.error)")
    #expect(
      outcome.error.contains("The address to register is http://127.0.0.1:\(port.port)/callback\n"), "\(outcome.error)")
  }

  @Test("If the OAuth 2.0 token endpoint refuses a login, homeline prints the callback address to register")
  func tokenEndpoint() async throws {
    let port = try ReservedPort()
    defer { withExtendedLifetime(port) {} }
    let server = try RawServer { _ in
      [
        .send(
          RawHTTP.response(
            #"{"error":"invalid_grant","error_description":"redirect_uri does not match"}"#, "400 Bad Request"))
      ]
    }
    let home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": \(port.port) }, "accounts": { "key": { "provider": "oauth2", "client_id": "c",
        "endpoints": { "authorize": "\(server.base)/authorize", "token": "\(server.base)/token" } } } }
      """)
    let login = try home.start(["login", "--no-browser"])
    let address = try LocalURL(#require(await login.line(containing: "response_type=code")))
    let state = try #require(address.query["state"])
    let callback = try LocalURL("http://127.0.0.1:\(port.port)/callback?code=C-123456789&state=\(state)")
    let page = try ScriptedBrowser().follow(callback)
    let registered = "The address to register is http://127.0.0.1:\(port.port)/callback"
    #expect(page.text.contains(registered), "\(page.text)")
    let outcome = await login.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains(registered), "\(outcome.error)")
  }
}
