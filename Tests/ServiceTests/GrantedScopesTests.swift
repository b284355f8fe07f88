@testable import Login
import Testing

/// The comparison of the granted scopes with the requested ones.
@Suite struct GrantedScopesTests {
  @Test(
    "only scopes that the server left out are missing",
    arguments: [
      ("read write", ["read", "write"], []), ("write read", ["read", "write"], []),
      ("read", ["read", "write"], ["write"]),
      ("read,write", ["read", "write"], []), ("", ["read"], ["read"]),
      // Servers do not repeat these, or report them in another form.
      ("mail", ["openid", "profile", "email", "offline_access", "mail"], []),
      ("read", ["read:statuses", "read:accounts"], []),
      ("read:accounts", ["read:statuses", "read:accounts"], ["read:statuses"]),
      (
        "https://mail.example/imap", ["https://mail.example/imap", "https://mail.example/smtp"],
        ["https://mail.example/smtp"]
      ),
    ] as [(String, [String], [String])])
  func missing(granted: String, requested: [String], missing: [String]) {
    #expect(GrantedScopes(granted).missing(from: requested) == missing)
  }
}
