/// The access token that a user has granted (RFC 5849 §1.1, "token credentials").
public struct TokenCredentials: Sendable, Hashable {
  /// The access token, sent as `oauth_token`.
  public let identifier: String
  /// Its secret, part of the key of every request made with it.
  public let secret: Secret

  /// Pairs an access token with its secret.
  public init(identifier: String, secret: Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}
