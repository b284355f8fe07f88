public import OAuthValues

/// An access token granted by a user (RFC 5849 §1.1, "token credentials").
public struct TokenCredentials: Sendable, Hashable {
  /// The access token, sent as `oauth_token`.
  public let identifier: String
  /// The token's secret, which is part of the key that signs every request with the token.
  public let secret: OAuth.Secret

  /// Creates the credentials from an access token and its secret.
  public init(identifier: String, secret: OAuth.Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}
