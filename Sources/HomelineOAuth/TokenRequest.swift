extension OAuth {
  /// The third leg: exchanging the request token and its verifier for an access token (RFC 5849 §2.3).
  public struct TokenRequest: Sendable, Hashable {
    /// The provider's "access_token" address.
    public let endpoint: RequestURL
    /// The request token that the user has granted; it works once.
    public let temporary: TemporaryCredentials
    /// What the callback or the user brought back.
    public let verifier: Secret

    /// Describes the request.
    public init(endpoint: RequestURL, temporary: TemporaryCredentials, verifier: Secret) {
      self.endpoint = endpoint
      self.temporary = temporary
      self.verifier = verifier
    }

    /// Signs it with the consumer secret and the request token's secret; the verifier travels in the header.
    ///
    /// - Throws: ``SigningError``.
    public func signed(
      by client: ClientCredentials, method: SignatureMethod = .hmacSHA1, realm: String? = nil, stamp: NonceTimestamp
    ) throws(SigningError) -> SignedRequest {
      let signer = Signer(client: client, token: .temporary(temporary), method: method, realm: realm)
      let verifier = verifier.withExposed { Parameter(name: Array("oauth_verifier".utf8), value: $0) }
      return try SignedRequest.post(to: endpoint, form: [], signer: signer, stamp: stamp, additional: [verifier])
    }
  }
}

extension OAuth {
  /// The answer to the third leg (RFC 5849 §2.3).
  public struct TokenResponse: Sendable, Hashable {
    /// The access token.
    public let credentials: TokenCredentials
    /// Everything else that the answer says.
    public let extra: [Parameter]

    /// Reads the answer.
    ///
    /// - Throws: ``OAuth/ResponseError``; nothing of the answer may be kept then.
    public init(_ response: Response) throws(ResponseError) {
      let form = try FormResponse(response)
      credentials = TokenCredentials(identifier: try form.identifier(), secret: try form.secret())
      extra = form.extra
    }

    /// `user_id`, where the provider names the user in its answer, as X does.
    public var userID: String? { self["user_id"] }

    /// `screen_name`, likewise.
    public var screenName: String? { self["screen_name"] }

    private subscript(name: String) -> String? {
      extra.first { $0.isNamed(name) }?.valueText
    }
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias TokenRequest = OAuth.TokenRequest
package typealias TokenResponse = OAuth.TokenResponse
