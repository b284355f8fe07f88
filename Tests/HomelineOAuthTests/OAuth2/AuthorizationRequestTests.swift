import HomelineOAuth
import Testing

@Suite("Authorisation request")
struct AuthorizationRequestTests {
  private func query(
    endpoint: String = "https://as.example/authorize", scopes: [String] = ["read", "write"], separator: String = " ",
    challenge: String? = "CHALLENGE", further: [Parameter] = []
  ) throws -> String {
    let request = AuthorizationRequest(
      endpoint: try RequestURL(endpoint), clientID: "id:1", redirect: "http://127.0.0.1:8765/cb", scopes: scopes,
      scopeSeparator: separator, state: "S-1_", challenge: challenge, further: further)
    return try request.url().query ?? ""
  }

  private let head = "response_type=code&client_id=id%3A1&redirect_uri=http%3A%2F%2F127.0.0.1%3A8765%2Fcb"

  @Test("everything is encoded, and the method is always told with the challenge")
  func whole() throws {
    #expect(
      try query() == head + "&scope=read%20write&state=S-1_&code_challenge=CHALLENGE&code_challenge_method=S256")
  }

  @Test("without a challenge no method is named, plain least of all")
  func withoutChallenge() throws {
    #expect(try query(challenge: nil) == head + "&scope=read%20write&state=S-1_")
  }

  @Test("scopes can be joined by a comma, and left out")
  func scopes() throws {
    #expect(try query(separator: ",", challenge: nil).contains("&scope=read%2Cwrite&"))
    #expect(try query(scopes: [], challenge: nil) == head + "&state=S-1_")
  }

  @Test("a query that the endpoint has stays in front, and what else the provider knows comes last")
  func further() throws {
    let query = try query(endpoint: "https://as.example/a?x=%2f1", challenge: nil, further: [Parameter("force", "é")])
    #expect(query == "x=%2f1&" + head + "&scope=read%20write&state=S-1_&force=%C3%A9")
    #expect(try self.query(endpoint: "https://as.example/a?", scopes: [], challenge: nil) == head + "&state=S-1_")
  }

  @Test("an address that would be too long is an error")
  func tooLong() throws {
    let endpoint = "https://as.example/" + String(repeating: "a", count: RequestURL.byteLimit - 100)
    #expect(throws: RequestURLError.self) { try query(endpoint: endpoint) }
  }

  @Test("a parameter that would come twice is refused, whether it is the request's own or a further one")
  func repeated() throws {
    for further in [[Parameter("state", "other")], [Parameter("force", "1"), Parameter("force", "2")]] {
      let request = AuthorizationRequest(
        endpoint: try RequestURL("https://as.example/"), clientID: "c", redirect: "r", scopes: [], state: "s",
        challenge: nil, further: further)
      #expect(throws: RequestURLError.repeatedParameter(further[0].nameText!)) { try request.url() }
    }
  }
}
