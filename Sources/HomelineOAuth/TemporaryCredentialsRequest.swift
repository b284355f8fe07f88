/// The first leg: asking for a request token (RFC 5849 §2.1).
public struct TemporaryCredentialsRequest: Sendable, Hashable {
  /// The provider's "request_token" address.
  public let endpoint: RequestURL
  /// Where the provider sends the user afterwards. Always sent: without it a server falls back to the flow of 2007.
  public let callback: CallbackAddress
  /// Further parameters of the provider's own, sent and signed as a form body (`x_auth_access_type=read`).
  public let form: [OAuth.Parameter]

  /// Describes the request.
  public init(endpoint: RequestURL, callback: CallbackAddress, form: [OAuth.Parameter] = []) {
    self.endpoint = endpoint
    self.callback = callback
    self.form = form
  }

  /// Signs it with the consumer secret alone, since there is no token yet.
  ///
  /// - Throws: ``SigningError``.
  public func signed(
    by client: ClientCredentials, method: OAuth.SignatureMethod = .hmacSHA1, realm: String? = nil,
    stamp: OAuth.NonceTimestamp
  ) throws(SigningError) -> SignedRequest {
    try SignedRequest.post(
      to: endpoint, form: form, signer: OAuth.Signer(client: client, token: .none, method: method, realm: realm),
      stamp: stamp,
      additional: [OAuth.Parameter("oauth_callback", callback.text)])
  }
}

/// Where the provider sends the user afterwards: the value of `oauth_callback` (RFC 5849 §2.1).
public enum CallbackAddress: Sendable, Hashable {
  /// An address of ours, byte by byte as it is registered with the provider.
  case url(RequestURL)
  /// Nowhere: the provider shows a verifier (a PIN), and the user types it in. Written `oob`, lower-case.
  case outOfBand

  /// What is sent.
  public var text: String {
    switch self {
    case .url(let url): url.text
    case .outOfBand: "oob"
    }
  }
}

/// The answer to the first leg (RFC 5849 §2.1).
public struct TemporaryCredentialsResponse: Sendable, Hashable {
  /// What the server says of the callback address.
  public enum Confirmation: Sendable, Hashable {
    /// `oauth_callback_confirmed=true`: this is OAuth 1.0a.
    case callbackConfirmed
    /// Nothing at all: a server from before 2009, or one that forgot. Warn the user.
    case callbackUnconfirmed
  }

  /// The request token.
  public let credentials: TemporaryCredentials
  /// Whether the server confirmed the callback address.
  public let confirmation: Confirmation
  /// Everything else that the answer says.
  public let extra: [OAuth.Parameter]

  /// Reads the answer.
  ///
  /// With `requireCallbackConfirmation`, as RFC 5849 §2.1 has it, an answer without `oauth_callback_confirmed` is refused;
  /// without it, such an answer is taken as ``Confirmation/callbackUnconfirmed``. Any value but `true`, in any letter case,
  /// is refused always.
  ///
  /// - Throws: ``OAuth/ResponseError``; nothing of the answer may be kept then.
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
