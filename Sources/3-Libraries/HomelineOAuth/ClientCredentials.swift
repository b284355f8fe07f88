public import OAuthValues

/// An application's credentials: the consumer key and its secret (RFC 5849 §1.1, "client credentials").
public struct ClientCredentials: Sendable, Hashable {
  /// The consumer key, sent as `oauth_consumer_key`.
  public let identifier: String
  /// The consumer secret, which may be empty.
  public let secret: OAuth.Secret

  /// Creates the credentials from a consumer key and its secret.
  public init(identifier: String, secret: OAuth.Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}
