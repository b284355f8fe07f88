/// Which application asks: the consumer key and its secret (RFC 5849 §1.1, "client credentials").
public struct ClientCredentials: Sendable, Hashable {
  /// The consumer key, sent as `oauth_consumer_key`.
  public let identifier: String
  /// The consumer secret; may be empty.
  public let secret: OAuth.Secret

  /// Pairs a consumer key with its secret.
  public init(identifier: String, secret: OAuth.Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}

/// The request token of a login that has not ended yet (RFC 5849 §1.1, "temporary credentials").
///
/// It can be exchanged once, with a verifier, and signs nothing but that exchange: hence a type of its own.
public struct TemporaryCredentials: Sendable, Hashable {
  /// The request token, sent as `oauth_token`.
  public let identifier: String
  /// Its secret, part of the key that signs the exchange.
  public let secret: OAuth.Secret

  /// Pairs a request token with its secret.
  public init(identifier: String, secret: OAuth.Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}

extension TemporaryCredentials {
  /// The second leg: the address that the user opens in a browser (RFC 5849 §2.2).
  ///
  /// The endpoint's own query stays in front; `oauth_token` follows, then what the provider knows besides
  /// (`force_login=true`, `screen_name`). Nothing here is signed.
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` when the parameters make it so.
  public func authorizationURL(
    at endpoint: RequestURL, adding parameters: [OAuth.Parameter] = []
  ) throws(RequestURLError) -> RequestURL {
    try endpoint.adding([OAuth.Parameter("oauth_token", identifier)] + parameters)
  }
}

/// The access token that a user has granted (RFC 5849 §1.1, "token credentials").
public struct TokenCredentials: Sendable, Hashable {
  /// The access token, sent as `oauth_token`.
  public let identifier: String
  /// Its secret, part of the key of every request made with it.
  public let secret: OAuth.Secret

  /// Pairs an access token with its secret.
  public init(identifier: String, secret: OAuth.Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}
