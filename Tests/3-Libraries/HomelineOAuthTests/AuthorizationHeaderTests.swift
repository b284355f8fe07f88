import HomelineOAuth
import Testing

@Suite("The OAuth 1.0a Authorization header")
struct AuthorizationHeaderTests {
  @Test(
    "an Authorization header that is not a list of quoted values is refused",
    arguments: [
      "OAuth a", "OAuth a=", "OAuth a=b", "OAuth a=\"b", "OAuth a=\"b\" c=\"d\"", "OAuth a=\"b\",", "OAuth ,a=\"b\"",
      "OAuth a=\"b\",,c=\"d\"", "OAuth =\"b\"", "OAuth a=\"b\\", "OAuth a=\"b\nc\"", "OAuth a=\"b\"\r\n",
      "OAuth a\"=\"b\"",
      "OAuth a=\"b\"x",
    ])
  func malformed(text: String) {
    let error = #expect(throws: AuthorizationHeaderError.self) { try AuthorizationHeader(parsing: text) }
    guard case .malformed = error else {
      Issue.record("\(text) gave \(String(describing: error))")
      return
    }
  }

  @Test(
    "the scheme of an Authorization header must be OAuth, but is case-insensitive",
    arguments: ["Basic x", "OAuthx a=\"b\"", "OAuth2 a=\"b\"", "", "Bearer"])
  func otherSchemes(text: String) {
    #expect(throws: AuthorizationHeaderError.notOAuth) { try AuthorizationHeader(parsing: text) }
  }

  @Test("whitespace is allowed between all parts of an Authorization header, and its list may be empty")
  func blanks() throws {
    #expect(
      try AuthorizationHeader(parsing: " oAuTh\t a = \"1\" ,\r\n\tb=\"2\" ").parameters == [
        Parameter("a", "1"), Parameter("b", "2"),
      ])
    #expect(try AuthorizationHeader(parsing: "OAuth").parameters.isEmpty)
    #expect(try AuthorizationHeader(parsing: "OAuth ").parameters.isEmpty)
  }

  @Test("a repeated parameter name in the header is refused, however it is encoded")
  func doubled() {
    #expect(throws: AuthorizationHeaderError.duplicateParameter("oauth_token")) {
      try AuthorizationHeader(parsing: "OAuth oauth_token=\"1\", oauth%5Ftoken=\"1\"")
    }
    #expect(throws: AuthorizationHeaderError.duplicateParameter("realm")) {
      try AuthorizationHeader(parsing: "OAuth realm=\"1\", realm=\"2\"")
    }
  }

  @Test("the error for a malformed escape in the header gives its offset; the realm is not decoded")
  func escapes() throws {
    #expect(throws: AuthorizationHeaderError.badEscape(offset: 10)) {
      try AuthorizationHeader(parsing: "OAuth a=\"b%zz\"")
    }
    #expect(try AuthorizationHeader(parsing: "OAuth realm=\"100%\"").realm == "100%")
  }

  @Test("a plus sign in a header parameter's value remains a plus sign")
  func plus() throws {
    #expect(try AuthorizationHeader(parsing: "OAuth a=\"b+c\"")["a"] == Array("b+c".utf8))
  }

  @Test("an Authorization header of the maximum length is accepted, and a longer one is refused")
  func limit() throws {
    let value = String(repeating: "v", count: AuthorizationHeader.byteLimit - "OAuth a=\"\"".utf8.count)
    #expect(try AuthorizationHeader(parsing: "OAuth a=\"\(value)\"")["a"]?.count == value.utf8.count)
    #expect(throws: AuthorizationHeaderError.tooLong(bytes: 16_385, limit: 16_384)) {
      try AuthorizationHeader(parsing: "OAuth a=\"\(value)v\"")
    }
  }
}
