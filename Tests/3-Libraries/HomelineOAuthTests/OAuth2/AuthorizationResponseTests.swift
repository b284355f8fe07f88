import Bytes
import HomelineOAuth
import Testing

@Suite("Authorisation response")
struct AuthorizationResponseTests {
  @Test("a grant has a code, a state and an optional issuer, and its other parameters are ignored")
  func granted() {
    let code = Secret("a+/=")
    #expect(
      AuthorizationResponse(query: "code=a%2B%2F%3D&state=S") == .granted(state: "S", code: code, issuer: nil))
    #expect(
      AuthorizationResponse(query: "x=1&x=2&iss=https%3A%2F%2Fas.example&state=S&code=a%2B%2F%3D&session_state=q")
        == .granted(state: "S", code: code, issuer: "https://as.example"))
  }

  @Test(
    "a denial has an error, an optional description and an optional issuer",
    arguments: [
      ("error=access_denied&state=S", "access_denied", nil),
      (
        "code=&error=access_denied&state=S&error_description=The+user%20said%0Ano", "access_denied", "The user said no"
      ),
      ("error=access_denied&error_code=21330&error_uri=x&state=S", "access_denied", nil),
    ] as [(String, String, String?)])
  func refused(query: String, code: String, description: String?) {
    let refusal = AuthorizationRefusal(code: code, description: description)
    #expect(AuthorizationResponse(query: query) == .refused(state: "S", refusal, issuer: nil))
    #expect(AuthorizationResponse(query: query + "&iss=I") == .refused(state: "S", refusal, issuer: "I"))
  }

  @Test(
    "a denial without a state is distinguished from one with a state",
    arguments: ["error=server_error", "error=server_error&state="])
  func withoutState(query: String) {
    #expect(
      AuthorizationResponse(query: query + "&iss=I")
        == .refusedWithoutState(AuthorizationRefusal(code: "server_error", description: nil), issuer: "I"))
  }

  @Test("each protocol parameter may appear only once in a redirect", arguments: AuthorizationResponse.names)
  func doubled(name: String) {
    let others = AuthorizationResponse.names.filter { $0 != name && $0 != "error" }.map { "\($0)=1" }
    let query = (others + ["\(name)=1", "\(name)=1"]).joined(separator: "&")
    #expect(AuthorizationResponse(query: query) == .invalid(.duplicateParameter(name)))
  }

  @Test("an escaped parameter name counts as the same name")
  func escaped() {
    #expect(AuthorizationResponse(query: "code=1&st%61te=1&state=2") == .invalid(.duplicateParameter("state")))
  }

  @Test(
    "the error for an invalid redirect query states the reason",
    arguments: [
      (nil, .missingCode), ("", .missingCode), ("state=S", .missingCode), ("code=&state=S", .missingCode),
      ("code=C", .missingState), ("code=C&state=", .missingState), ("code=C&state=%FF", .notText("state")),
      ("code=C&state=S&iss=%FF", .notText("iss")), ("code=%zz&state=S", .unreadable(.badEscape(parameter: 0))),
      ("oauth_token=T&oauth_verifier=V", .missingCode), ("error=&state=S", .missingCode), ("error=", .missingCode),
      ("code=C&error=access_denied&state=S", .codeAndError), ("code=C&error=&state=S", .codeAndError),
      ("code=C&error=access_denied", .codeAndError),
    ] as [(String?, AuthorizationResponseError)])
  func problems(query: String?, problem: AuthorizationResponseError) {
    #expect(AuthorizationResponse(query: query) == .invalid(problem))
    #expect(!problem.description.isEmpty)
  }

  @Test("a redirect query of 64 kilobytes is refused without parsing it")
  func tooLong() {
    let query = "code=C&state=" + String(repeating: "a", count: 65_536)
    guard case .invalid(.unreadable(.tooLong)) = AuthorizationResponse(query: query) else {
      Issue.record("the query was parsed")
      return
    }
  }

  @Test("control characters are removed from a denial's text, and long text is truncated")
  func cleaned() {
    let refusal = AuthorizationRefusal(
      code: "a\u{1B}[31mb", description: "\u{202E}x\n\ny" + String(repeating: "z", count: 1_000))
    #expect(refusal.code == "a[31mb")
    #expect(refusal.message.hasPrefix("a[31mb: x yz"))
    #expect(refusal.message.count < 320)
    #expect(AuthorizationRefusal(code: "", description: " ").message == "an unnamed error")
  }

  @Test("printing an authorisation response does not show the code")
  func notPrinted() {
    #expect(!"\(AuthorizationResponse(query: "code=hidden&state=S"))".contains("hidden"))
  }
}
