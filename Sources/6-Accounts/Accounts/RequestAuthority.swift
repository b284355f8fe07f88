package import Bytes
internal import HTTP
package import HTTPClient
package import HomelineOAuth
package import Providers
package import Storage
internal import Time

/// The proof that a request is authorised by the account's user or by the client.
package enum RequestAuthority {
  /// OAuth 1.0a: each request is signed.
  case signer(Signer)
  /// OAuth 2.0: each request contains the access token (RFC 6750 §2).
  case bearer(Secret, OAuth2Profile.TokenPlacement)
  /// Each request is signed with the client's secret, as the provider requires. The request is made for the token's user or, without a
  /// token, for the client itself.
  case client(OAuth2Client, token: Secret?, any Provider)

  /// The secrets in each request.
  package var secrets: [Secret] {
    switch self {
    case .signer(let signer):
      if case .token(let credentials) = signer.token { [Secret(credentials.identifier)] } else { [] }
    case .bearer(let token, _): [token]
    case .client(_, let token, _): [token].compactMap(\.self)
    }
  }

  /// Returns a provider's request with this authority's proof.
  package func authorised(_ request: ClientRequest, nonceTimestamp: NonceTimestamp) throws -> ClientRequest {
    switch self {
    case .signer(let signer):
      // A service has a signer for each account, and its accounts rarely send requests.
      defer { signer.releaseMemory() }
      return try request.authorised(
        signer.sign(SignableRequest(request), nonceTimestamp: nonceTimestamp).headerValue)
    case .bearer(let token, .header): return try request.authorised(token.withExposedText { "Bearer \($0)" })
    case .bearer(let token, .parameter(let name)):
      return try request.adding(token.withExposedText { Parameter(name, $0) })
    case .client(let client, let token, let provider):
      return try provider.signed(request, of: client, token: token, at: Timestamp(seconds: nonceTimestamp.timestamp))
    }
  }
}

extension SignableRequest {
  /// Creates the parts of a request that a signature covers.
  fileprivate init(_ request: ClientRequest) throws {
    self.init(method: request.method.name, url: try RequestURL(request.url), form: try request.form)
  }
}

/// The authority and its token, or the reason no token is available.
package typealias AuthorityResult = Result<(RequestAuthority, StoredToken), TokenUnavailableError>
