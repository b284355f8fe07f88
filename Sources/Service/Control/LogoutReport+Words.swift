extension LogoutReport {
  /// What came of it, for people; without the account's name.
  package var sentence: String {
    switch self {
    case .revoked: "the token is revoked at the provider and deleted here; the posts stay"
    case .deletedOnly: "the token is deleted here; this provider offers no way to revoke it from here; the posts stay"
    case .notRevoked(let why):
      "the token is deleted here, but the provider did not revoke it (\(why)); revoke it in your settings there. The posts stay"
    case .wasNotAuthorised: "there was no token"
    }
  }
}
