import Bytes
import HomelineOAuth
import Testing

@Suite("Authorised client") struct AuthorizedClientTests {
  // Computed, because the leak checker reports arrays inside enum cases of globals.
  private static var signer: Signer {
    Signer(
      client: ClientCredentials(identifier: "K", secret: Secret("S")),
      token: .token(TokenCredentials(identifier: "T", secret: Secret("TS"))))
  }

  @Test("each OAuth 1.0a request is signed with a new nonce and the time from the given clock")
  func signed() async throws {
    let api = AuthorizedClient(.oauth1(Self.signer), now: { 1_700_000_000 }) { $0 }
    let first = try await api.get("https://api.example/home?count=5")
    let second = try await api.get("https://api.example/home?count=5")
    #expect(first.method == "GET" && first.url == "https://api.example/home?count=5" && first.body.isEmpty)
    #expect(first.headers.map(\.name) == ["Authorization"])
    let header = try #require(first.headers.first?.value)
    #expect(header.hasPrefix("OAuth oauth_consumer_key=\"K\", "))
    #expect(header.contains("oauth_timestamp=\"1700000000\""))
    #expect(first.authorization != second.authorization)
  }

  @Test("the signature of a request covers the form in its body")
  func form() async throws {
    let form = [Parameter("status", "é & 写真")]
    let sent = try await AuthorizedClient(.oauth1(Self.signer)) { $0 }.post("https://api.example/post", form: form)
    #expect(sent.headers.map(\.name) == ["Authorization", "Content-Type"])
    #expect(sent.headers.last?.value == "application/x-www-form-urlencoded")
    #expect(sent.body == Array(FormEncoding.encode(form).utf8))
    let header = try AuthorizationHeader(parsing: try #require(sent.headers.first?.value))
    let request = SignableRequest(method: "POST", url: try RequestURL(sent.url), form: form)
    let received = try ReceivedSignature(request: request, header: header)
    #expect(try received.isValid(clientSecret: Secret("S"), tokenSecret: Secret("TS")))
  }

  @Test("an OAuth 2.0 request contains the access token and may have any body")
  func bearer() async throws {
    let api = AuthorizedClient(.oauth2(accessToken: Secret("AT"))) { $0 }
    let sent = try await api.send(
      SignableRequest(method: "put", url: RequestURL("https://api.example/x")), contentType: "application/json",
      body: Array("{}".utf8))
    #expect(sent.method == "PUT" && sent.body == Array("{}".utf8))
    #expect(
      sent.headers.map { "\($0.name): \($0.value)" } == ["Authorization: Bearer AT", "Content-Type: application/json"])
  }

  @Test("the caller receives errors from the HTTP client and from signing")
  func errors() async throws {
    struct Down: Error {}
    let api = AuthorizedClient(.oauth1(Self.signer)) { _ throws -> Int in throw Down() }
    await #expect(throws: Down.self) { try await api.get("https://api.example/") }
    await #expect(throws: RequestURLError.unsupportedScheme) { try await api.get("ftp://api.example/") }
    await #expect(throws: SigningError.self) { try await api.get("https://api.example/?a=%ZZ") }
  }

  @Test("printing an outgoing request does not show its secrets")
  func secrecy() async throws {
    let sent = try await AuthorizedClient(.oauth2(accessToken: Secret("hidden"))) { $0 }
      .post("https://api.example/?hidden=1", form: [Parameter("token", "hidden")])
    var text = "\(sent)"
    dump(sent, to: &text)
    #expect(!text.contains("hidden"))
  }
}
