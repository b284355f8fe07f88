/// The request token of a login that has not ended yet (RFC 5849 §1.1, "temporary credentials").
///
/// It can be exchanged once, with a verifier, and signs nothing but that exchange: hence a type of its own.
public struct TemporaryCredentials: Sendable, Hashable {
  /// The request token, sent as `oauth_token`.
  public let identifier: String
  /// Its secret, part of the key that signs the exchange.
  public let secret: Secret

  /// Pairs a request token with its secret.
  public init(identifier: String, secret: Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}
