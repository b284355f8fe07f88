/// The first leg: asking for a request token (RFC 5849 §2.1).
public struct TemporaryCredentialsRequest: Sendable, Hashable {
  /// The provider's "request_token" address.
  public let endpoint: RequestURL
  /// Where the provider sends the user afterwards. Always sent: without it a server falls back to the flow of 2007.
  public let callback: CallbackAddress
  /// Further parameters of the provider's own, sent and signed as a form body (`x_auth_access_type=read`).
  public let form: [Parameter]

  /// Describes the request.
  public init(endpoint: RequestURL, callback: CallbackAddress, form: [Parameter] = []) {
    self.endpoint = endpoint
    self.callback = callback
    self.form = form
  }

  /// Signs it with the consumer secret alone, since there is no token yet.
  ///
  /// - Throws: ``SigningError``.
  public func signed(
    by client: ClientCredentials, method: SignatureMethod = .hmacSHA1, realm: String? = nil, stamp: Stamp
  ) throws(SigningError) -> SignedRequest {
    try SignedRequest.post(
      to: endpoint, form: form, signer: Signer(client: client, token: .none, method: method, realm: realm),
      stamp: stamp,
      additional: [Parameter("oauth_callback", callback.text)])
  }
}
