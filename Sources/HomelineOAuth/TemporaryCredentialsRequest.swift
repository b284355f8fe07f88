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
  ) throws(SigningError) -> SignedRequest {
    try SignedRequest.post(
      to: endpoint, form: form, signer: OAuth.Signer(client: client, token: .none, method: method, realm: realm),
      nonceTimestamp: nonceTimestamp,
      additional: [OAuth.Parameter("oauth_callback", callback.text)])
  }
}

/// The value of `oauth_callback`: where the provider redirects the user afterwards (RFC 5849 §2.1).
public enum CallbackAddress: Sendable, Hashable {
  /// A URL, exactly as registered with the provider.
  case url(RequestURL)
  /// No URL, which is sent as `oob`. The provider shows a verifier (PIN), which the user enters in the application.
  case outOfBand

  /// The text to send.
  public var text: String {
    switch self {
    case .url(let url): url.text
    case .outOfBand: "oob"
    }
  }
}

/// The response with temporary credentials (RFC 5849 §2.1).
public struct TemporaryCredentialsResponse: Sendable, Hashable {
  /// Whether the server confirmed the callback URL.
  public enum Confirmation: Sendable, Hashable {
    /// The response contains `oauth_callback_confirmed=true`, so the server supports OAuth 1.0a.
    case callbackConfirmed
    /// The response contains no confirmation. The server may support only OAuth 1.0; warn the user.
    case callbackUnconfirmed
  }

  /// The request token.
  public let credentials: TemporaryCredentials
  /// Whether the server confirmed the callback URL.
  public let confirmation: Confirmation
  /// All other parameters in the response.
  public let extra: [OAuth.Parameter]

  /// Parses the response.
  ///
  /// - Parameters:
  ///   - response: the provider's response.
  ///   - requireCallbackConfirmation: whether to reject a response without `oauth_callback_confirmed`, as RFC 5849 §2.1 requires. If false,
  ///     such a response yields ``Confirmation/callbackUnconfirmed``. Any value other than `true` (in any letter case) is always rejected.
  /// - Throws: ``OAuth/ResponseError``, in which case no part of the response may be used.
  public init(_ response: OAuth.Response, requireCallbackConfirmation: Bool) throws(OAuth.ResponseError) {
    let form = try FormResponse(response)
    credentials = TemporaryCredentials(identifier: try form.identifier(), secret: try form.secret())
    if let confirmed = form["oauth_callback_confirmed"] {
      let isTrue = confirmed.value.map { ASCII.lowercased($0) }.elementsEqual("true".utf8)
      guard isTrue else { throw .callbackNotConfirmed }
      confirmation = .callbackConfirmed
    } else {
      guard !requireCallbackConfirmation else { throw .missingParameter("oauth_callback_confirmed") }
      confirmation = .callbackUnconfirmed
    }
    extra = form.extra
  }
}
