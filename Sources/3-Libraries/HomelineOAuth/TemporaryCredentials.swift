public import Bytes
public import OAuthValues

/// The request token of a pending login (RFC 5849 §1.1, "temporary credentials").
///
/// A request token has its own type because it can only be exchanged, once and with a verifier; it cannot sign other requests.
public struct TemporaryCredentials: Sendable, Hashable {
  /// The request token, sent as `oauth_token`.
  public let identifier: String
  /// The token's secret, which is part of the key that signs the exchange.
  public let secret: OAuth.Secret

  /// Creates the credentials from a request token and its secret.
  public init(identifier: String, secret: OAuth.Secret) {
    self.identifier = identifier
    self.secret = secret
  }
}

extension TemporaryCredentials {
  /// Returns the URL that the user opens in a browser to authorise the application, which is the second step of a login (RFC 5849 §2.2).
  ///
  /// The URL's query consists of the endpoint's own query, `oauth_token`, and the given parameters, such as `force_login=true` or
  /// `screen_name`. Nothing in this URL is signed.
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` if the parameters make the URL too long.
  public func authorizationURL(
    at endpoint: RequestURL, adding parameters: [OAuth.Parameter] = []
  ) throws(RequestURLError) -> RequestURL {
    try endpoint.adding([OAuth.Parameter("oauth_token", identifier)] + parameters)
  }
}
