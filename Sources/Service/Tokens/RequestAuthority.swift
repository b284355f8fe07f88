internal import HomelineOAuth
internal import HTTP
internal import Providers
internal import Transport

/// What makes a request one of the account's user.
enum RequestAuthority {
  /// OAuth 1.0a: each request is signed.
  case signer(Signer)
  /// OAuth 2.0: each request carries the access token (RFC 6750 §2).
  case bearer(Secret, OAuth2Profile.TokenPlacement)

  /// What goes along with each request.
  var secrets: [Secret] {
    switch self {
    case .signer(let signer):
      if case .token(let credentials) = signer.token { [Secret(credentials.identifier)] } else { [] }
    case .bearer(let token, _): [token]
    }
  }

  /// A provider's request with the proof made for it.
  func request(_ request: ProviderRequest, stamp: Stamp) throws(SigningError) -> ClientRequest {
    switch self {
    case .signer(let signer):
      let signable = SignableRequest(method: request.method, url: request.url, form: request.form)
      return ClientRequest(request, authorization: try signer.sign(signable, stamp: stamp).headerValue)
    case .bearer(let token, .header):
      return ClientRequest(request, authorization: token.withExposedText { "Bearer \($0)" })
    case .bearer(let token, .parameter(let name)):
      return ClientRequest(request.adding(token.withExposedText { Parameter(name, $0) }), authorization: nil)
    }
  }
}
