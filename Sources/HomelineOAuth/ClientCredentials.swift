/// Which application asks: the consumer key and its secret (RFC 5849 §1.1, "client credentials").
public struct ClientCredentials: Sendable, Hashable {
  /// The consumer key, sent as `oauth_consumer_key`.
  public let identifier: String
  /// The consumer secret; may be empty.
  public let secret: Secret

  /// Pairs a consumer key with its secret.
  public init(identifier: String, secret: Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}
