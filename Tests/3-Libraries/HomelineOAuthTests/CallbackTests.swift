import Bytes
import HomelineOAuth
import Testing

@Suite("OAuth 1.0a callbacks")
struct CallbackTests {
  @Test("parsing a callback yields the values in the published vectors", arguments: Vectors.published.callbackParse)
  func vectors(vector: Vectors.Callback) {
    let query = vector.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
    let callback = Callback(query: query)
    switch (vector.expected ?? vector.expectedError ?? "").prefix(13) {
    case "verifier V1 f": #expect(callback == .granted(token: "T1", verifier: Secret("V1")))
    case "verifier V+1;": #expect(callback == .granted(token: "T1", verifier: Secret("V+1")))
    case "user cancelle": #expect(callback == .refused(token: "T1", reason: "denied"))
    case "unknown reque":
      // Only the caller can detect another login's token, so the token must be returned unchanged.
      #expect(callback == .granted(token: "OTHER", verifier: Secret("V1")))
      #expect(!equalInConstantTime("OTHER", "T1"))
    case "duplicate par": #expect(callback == .invalid(.duplicateParameter("oauth_token")))
    case "no verifier: ": #expect(callback == .invalid(.missingVerifier))
    case "404, not an e": #expect(callback == .invalid(.missingToken))
    default: Issue.record("The vector has an unknown expectation: \(vector)")
    }
  }

  @Test(
    "a callback that denies access is recognised with and without a token",
    arguments: [
      ("denied=T1", Callback.refused(token: "T1", reason: "denied")),
      ("provider=twitter&denied=T1", .refused(token: "T1", reason: "denied")),
      ("oauth_problem=user_refused", .refusedWithoutToken(reason: "user_refused")),
      ("oauth_problem=permission_denied&oauth_token=T1", .refused(token: "T1", reason: "permission_denied")),
      ("error=access_denied", .refusedWithoutToken(reason: "access_denied")),
      ("error=access%0Adenied", .refusedWithoutToken(reason: "access denied")),
      ("oauth_token=T1&denied=T1", .refused(token: "T1", reason: "denied")),
      ("denied=&oauth_problem=user_refused", .refusedWithoutToken(reason: "user_refused")),
    ])
  func refusals(query: String, expected: Callback) {
    #expect(Callback(query: query) == expected)
  }

  @Test(
    "the error for an invalid callback states the reason",
    arguments: [
      (nil, CallbackError.missingToken), ("", .missingToken), ("oauth_verifier=V", .missingToken),
      ("oauth_token=&oauth_verifier=V", .missingToken), ("oauth_token=T&oauth_verifier=", .missingVerifier),
      ("oauth_token=T&oauth_verifier=V&oauth_verifier=V", .duplicateParameter("oauth_verifier")),
      ("denied=T&denied=U", .duplicateParameter("denied")),
      ("oauth%5Ftoken=T&oauth_token=T", .duplicateParameter("oauth_token")),
      ("oauth_token=%zz", .unreadable(.badEscape(parameter: 0))), ("oauth_token=%FF&oauth_verifier=V", .tokenIsNotText),
      ("denied=", .missingToken), ("denied", .missingToken), ("error=", .missingToken),
      ("oauth_problem=", .missingToken),
      ("denied=%FF", .tokenIsNotText), ("oauth_token=T&denied=", .missingVerifier),
      ("oauth_token=T&oauth_verifier=V&denied=T", .contradiction),
      ("oauth_token=T&oauth_verifier=V&denied=", .contradiction),
      ("oauth_token=T&oauth_verifier=V&oauth_problem=user_refused", .contradiction),
      ("oauth_token=T&oauth_verifier=V&error=access_denied", .contradiction),
      ("oauth_token=T&denied=U", .contradiction),
    ] as [(String?, CallbackError)])
  func problems(query: String?, problem: CallbackError) {
    #expect(Callback(query: query) == .invalid(problem))
    #expect(!problem.description.isEmpty)
  }

  @Test("unknown parameters in the callback URL are ignored, even repeated ones")
  func ownQuery() {
    #expect(
      Callback(query: "s=1&s=2&state=x&oauth_token=T&oauth_verifier=V") == .granted(token: "T", verifier: Secret("V")))
  }

  @Test("printing a callback does not show the verifier")
  func notPrinted() {
    #expect(!"\(Callback(query: "oauth_token=T&oauth_verifier=hidden"))".contains("hidden"))
  }

  @Test(
    "a URL, a query or a verifier can be pasted",
    arguments: [
      "http://127.0.0.1:8765/callback?oauth_token=T&oauth_verifier=V",
      "127.0.0.1:8765/callback?oauth_token=T&oauth_verifier=V#_",
      " \"http://localhost/cb?s=1&oauth_token=T&oauth_verifier=V\"\r\n", "<http://h/?oauth_token=T&oauth_verifier=V>",
      "?oauth_token=T&oauth_verifier=V", "oauth_token=T&oauth_verifier=V", "s=1&oauth_verifier=V&oauth_token=T",
    ])
  func pastedAddresses(text: String) {
    #expect(PastedRedirect(text) == .callback(.granted(token: "T", verifier: Secret("V"))))
  }

  @Test("a pasted callback that denies access is recognised")
  func pastedRefusal() {
    #expect(PastedRedirect("http://h/?denied=T") == .callback(.refused(token: "T", reason: "denied")))
    #expect(PastedRedirect("denied=T") == .callback(.refused(token: "T", reason: "denied")))
  }

  @Test("whitespace around a pasted verifier is ignored", arguments: ["0123456", "abc/DEF+x==", "a=b"])
  func pastedVerifiers(text: String) {
    #expect(PastedRedirect(" \(text)\n") == .verifier(Secret(text)))
  }

  @Test(
    "pasted text that is neither a callback nor a verifier is not recognised",
    arguments: ["", "   ", "http://127.0.0.1:8765/callback", "two parts", "héllo", String(repeating: "a", count: 513)])
  func notUnderstood(text: String) {
    #expect(PastedRedirect(text) == .unrecognized)
  }
}
