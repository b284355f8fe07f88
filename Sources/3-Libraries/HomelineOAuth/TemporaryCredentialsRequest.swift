public import Bytes
public import OAuthValues

/// The request for temporary credentials, the first step in a login (RFC 5849 §2.1).
public struct TemporaryCredentialsRequest: Sendable, Hashable {
  /// The provider's "request token" URL.
  public let endpoint: RequestURL
  /// The callback URL, which is always sent. Without a callback URL, a server would use the insecure flow of OAuth 1.0.
  public let callback: CallbackAddress
  /// The provider's own parameters, such as `x_auth_access_type=read`. These parameters are sent as a form body and signed.
  public let form: [OAuth.Parameter]

  /// Creates the request.
  public init(endpoint: RequestURL, callback: CallbackAddress, form: [OAuth.Parameter] = []) {
    self.endpoint = endpoint
    self.callback = callback
    self.form = form
  }

  /// Signs the request with the consumer secret alone, because there is no token yet.
  ///
  /// - Throws: ``SigningError``.
  public func signed(
    by client: ClientCredentials, method: OAuth.SignatureMethod = .hmacSHA1, realm: String? = nil,
    nonceTimestamp: OAuth.NonceTimestamp
  ) throws(SigningError) -> OutgoingRequest {
    try OutgoingRequest.signedPost(
      to: endpoint, form: form, signer: OAuth.Signer(client: client, token: .none, method: method, realm: realm),
      nonceTimestamp: nonceTimestamp,
      additional: [OAuth.Parameter("oauth_callback", callback.text)])
  }
}
