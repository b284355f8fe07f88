import Bytes
import HomelineOAuth
import Testing

@Suite("Pasted authorisation")
struct PastedAuthorizationTests {
  @Test(
    "a pasted URL, query, or code with its state is parsed",
    arguments: [
      "http://127.0.0.1:8765/cb?code=C-1&state=S", " <https://h/default.html?state=S&code=C-1#_=_>\r\n",
      "?code=C-1&state=S", "code=C-1&state=S", "state=S&code=C-1", "C-1&state=S", "\"C-1&state=S\"",
    ])
  func responses(line: String) {
    #expect(PastedAuthorization(line) == .response(.granted(state: "S", code: Secret("C-1"), issuer: nil)))
  }

  @Test("a code pasted together with its state is not percent-decoded")
  func shown() {
    #expect(
      PastedAuthorization("a+%2Fb&state=S") == .response(.granted(state: "S", code: Secret("a+%2Fb"), issuer: nil)))
  }

  @Test("a pasted denial is recognised, and so is a pasted redirect without a state")
  func others() {
    #expect(
      PastedAuthorization("http://h/?error=access_denied&state=S")
        == .response(.refused(state: "S", AuthorizationRefusal(code: "access_denied", description: nil), issuer: nil)))
    #expect(PastedAuthorization("http://h/?code=C") == .response(.invalid(.missingState)))
    #expect(PastedAuthorization("code=C&code=D&state=S") == .response(.invalid(.duplicateParameter("code"))))
  }

  @Test("whitespace around a pasted code is ignored", arguments: ["abc", "4/0Axyz", "a=b", "x.y~z-_=="])
  func codes(code: String) {
    #expect(PastedAuthorization("  \(code) \n") == .code(Secret(code)))
  }

  @Test(
    "pasted text that contains no code is not recognised",
    arguments: [
      "", "  ", "two parts", "http://127.0.0.1/cb", "héllo", "&state=S", String(repeating: "a", count: 4_097),
    ])
  func notUnderstood(line: String) {
    switch PastedAuthorization(line) {
    case .unrecognized, .response(.invalid): break
    case let other: Issue.record("\(other)")
    }
  }
}
