import Testing

@testable import Login

/// The comparison of the granted scopes with the requested ones.
@Suite struct GrantedScopesTests {
  @Test(
    "a scope counts as missing only if the server left it out",
    arguments: [
      ("read write", ["read", "write"], []), ("write read", ["read", "write"], []),
      ("read", ["read", "write"], ["write"]),
      ("read,write", ["read", "write"], []), ("", ["read"], ["read"]),
      // Servers leave these out, or report them in a different form.
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
