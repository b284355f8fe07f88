public import Bytes
public import OAuthValues

extension OAuth {
  /// The exchange of a request token and its verifier for an access token, the last step of a login (RFC 5849 §2.3).
  public struct TokenRequest: Sendable, Hashable {
    /// The provider's "access token" URL.
    public let endpoint: RequestURL
    /// The request token that the user has authorised, which can be used only once.
    public let temporary: TemporaryCredentials
    /// The verifier, which was received in the callback or entered by the user.
    public let verifier: Secret

    /// Creates the request.
    public init(endpoint: RequestURL, temporary: TemporaryCredentials, verifier: Secret) {
      self.endpoint = endpoint
      self.temporary = temporary
      self.verifier = verifier
    }

    /// Signs the request with the consumer secret and the request token's secret. The verifier is sent in the header.
    ///
    /// - Throws: ``SigningError``.
    public func signed(
      by client: ClientCredentials, method: SignatureMethod = .hmacSHA1, realm: String? = nil,
      nonceTimestamp: NonceTimestamp
    ) throws(SigningError) -> OutgoingRequest {
      let signer = Signer(client: client, token: .temporary(temporary), method: method, realm: realm)
      let verifier = verifier.withExposed { Parameter(name: Array("oauth_verifier".utf8), value: $0) }
      return try OutgoingRequest.signedPost(
        to: endpoint, form: [], signer: signer, nonceTimestamp: nonceTimestamp, additional: [verifier])
    }
  }
}

extension OAuth {
  /// The response with an access token (RFC 5849 §2.3).
  public struct TokenResponse: Sendable, Hashable {
    /// The access token.
    public let credentials: TokenCredentials
    /// All other parameters in the response.
    public let extra: [Parameter]

    /// Parses the response.
    ///
    /// - Throws: ``OAuth/ResponseError``; no part of the response may then be used.
    public init(_ response: Response) throws(ResponseError) {
      let form = try response.issuedParameters()
      credentials = TokenCredentials(identifier: try form.issuedIdentifier(), secret: try form.issuedSecret())
      extra = form.addedByProvider
    }

    /// The value of `user_id`; nil if the provider does not send it.
    public var userID: String? { self["user_id"] }

    /// The value of `screen_name`; nil if the provider does not send it.
    public var screenName: String? { self["screen_name"] }

    private subscript(name: String) -> String? {
      extra[name]?.valueText
    }
  }
}

// Short names for this package's other targets. Other packages use the names in the `OAuth` namespace.
package typealias TokenRequest = OAuth.TokenRequest
package typealias TokenResponse = OAuth.TokenResponse
