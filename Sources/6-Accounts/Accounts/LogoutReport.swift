/// The result of a logout. The local token is always deleted.
package enum LogoutReport: Sendable {
  /// The provider confirms that the token is invalid.
  case revoked
  /// The provider does not let clients revoke tokens.
  case deletedOnly
  /// The provider did not revoke the token. The text is the provider's message, or the reason the provider could not be reached.
  case notRevoked(String)
  /// There was no token.
  case wasNotAuthorised
}
