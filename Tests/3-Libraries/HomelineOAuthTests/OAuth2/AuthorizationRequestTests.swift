import Bytes
import HomelineOAuth
import Testing

@Suite("Authorisation request")
struct AuthorizationRequestTests {
  private func query(
    endpoint: String = "https://as.example/authorize", scopes: [String] = ["read", "write"], separator: String = " ",
    challenge: String? = "CHALLENGE", additional: [Parameter] = []
  ) throws -> String {
    let request = AuthorizationRequest(
      endpoint: try RequestURL(endpoint), clientID: "id:1", redirect: "http://127.0.0.1:8765/cb", scopes: scopes,
      scopeSeparator: separator, state: "S-1_", challenge: challenge, additional: additional)
    return try request.url().query ?? ""
  }

  private let head = "response_type=code&client_id=id%3A1&redirect_uri=http%3A%2F%2F127.0.0.1%3A8765%2Fcb"

  @Test("all parameters of an authorisation URL are encoded, and the challenge method is always sent")
  func whole() throws {
    #expect(
      try query() == head + "&scope=read%20write&state=S-1_&code_challenge=CHALLENGE&code_challenge_method=S256")
  }

  @Test("without a code challenge, no challenge method is sent")
  func withoutChallenge() throws {
    #expect(try query(challenge: nil) == head + "&scope=read%20write&state=S-1_")
  }

  @Test("the scopes in an authorisation URL can be joined by a comma or omitted")
  func scopes() throws {
    #expect(try query(separator: ",", challenge: nil).contains("&scope=read%2Cwrite&"))
    #expect(try query(scopes: [], challenge: nil) == head + "&state=S-1_")
  }

  @Test("the endpoint's own query precedes the parameters, and additional parameters follow them")
  func additional() throws {
    let query = try query(
      endpoint: "https://as.example/a?x=%2f1", challenge: nil, additional: [Parameter("force", "é")])
    #expect(query == "x=%2f1&" + head + "&scope=read%20write&state=S-1_&force=%C3%A9")
    #expect(try self.query(endpoint: "https://as.example/a?", scopes: [], challenge: nil) == head + "&state=S-1_")
  }

  @Test("an authorisation URL that is too long is an error")
  func tooLong() throws {
    let endpoint = "https://as.example/" + String(repeating: "a", count: RequestURL.byteLimit - 100)
    #expect(throws: RequestURLError.self) { try query(endpoint: endpoint) }
  }

  @Test("a duplicate parameter is refused, whether it is standard or additional")
  func repeated() throws {
    for additional in [[Parameter("state", "other")], [Parameter("force", "1"), Parameter("force", "2")]] {
      let request = AuthorizationRequest(
        endpoint: try RequestURL("https://as.example/"), clientID: "c", redirect: "r", scopes: [], state: "s",
        challenge: nil, additional: additional)
      #expect(throws: RequestURLError.duplicateParameter(additional[0].nameText!)) { try request.url() }
    }
  }
}
