package import HTTP
internal import JSON

/// The reason a client was not issued a token. Servers may create their own error responses from it; ``response`` follows RFC
/// 6749 §5.2.
package enum OAuth2Error: Error, Sendable, Equatable {
  /// A parameter is missing, repeated or invalid; the associated value is the reason.
  case badRequest(String)
  /// No client with this identifier is registered.
  case unknownClient
  /// The client has a secret but did not send it.
  case authenticationMissing
  case wrongSecret
  /// The client used an authentication method that the server does not accept, or more than one.
  case unsupportedAuthentication
  case grantTypeNotSupported
  case scopeNotAllowed
  /// The code was never issued, or was issued to another client.
  case codeUnknown
  /// The code has already been used. The tokens issued for it are revoked.
  case codeUsed
  case codeExpired
  case wrongRedirect
  case wrongVerifier
  /// The refresh token was never issued, was issued to another client, or is revoked.
  case refreshTokenUnknown
  /// The refresh token has already been used and replaced.
  case refreshTokenUsed
  case refreshTokenExpired
  /// The token belongs to another client, so this client may not revoke it.
  case notOwnToken
  case devicePending
  case deviceTooFast
  case deviceDenied
  case deviceCodeExpired

  /// The error code from RFC 6749 §5.2 or RFC 8628 §3.5.
  package var code: String {
    switch self {
    case .badRequest: "invalid_request"
    case .unknownClient, .authenticationMissing, .wrongSecret, .unsupportedAuthentication: "invalid_client"
    case .grantTypeNotSupported: "unsupported_grant_type"
    case .scopeNotAllowed: "invalid_scope"
    case .codeUnknown, .codeUsed, .codeExpired, .wrongRedirect, .wrongVerifier, .refreshTokenUnknown,
      .refreshTokenUsed, .refreshTokenExpired:
      "invalid_grant"
    case .notOwnToken: "unauthorized_client"
    case .devicePending: "authorization_pending"
    case .deviceTooFast: "slow_down"
    case .deviceDenied: "access_denied"
    case .deviceCodeExpired: "expired_token"
    }
  }

  package var message: String {
    switch self {
    case .badRequest(let reason): reason
    case .unknownClient: "The client is unknown."
    case .authenticationMissing: "The client has a secret but did not send it."
    case .wrongSecret: "The client's secret is wrong."
    case .unsupportedAuthentication: "The server does not accept this client authentication method."
    case .grantTypeNotSupported: "The grant_type is not supported."
    case .scopeNotAllowed: "The scope is unknown or not allowed."
    case .codeUnknown: "The code is unknown."
    case .codeUsed: "The code has already been used."
    case .codeExpired: "The code has expired."
    case .wrongRedirect: "The redirect_uri differs from the one in the authorisation request."
    case .wrongVerifier: "The code_verifier does not match the code."
    case .refreshTokenUnknown: "The refresh token is unknown."
    case .refreshTokenUsed: "The refresh token has already been used."
    case .refreshTokenExpired: "The refresh token has expired."
    case .notOwnToken: "The token belongs to another client."
    case .devicePending: "The user has not decided yet."
    case .deviceTooFast: "Poll less often."
    case .deviceDenied: "The user has denied the request."
    case .deviceCodeExpired: "The device code has expired."
    }
  }

  package var status: StatusCode { code == "invalid_client" ? .unauthorized : .badRequest }

  package var response: Response {
    var response = Self.response(status, error: code, description: message)
    if status == .unauthorized { response.headers.set("WWW-Authenticate", "Basic realm=\"sandbox\"") }
    return response
  }

  /// Returns `{"error":…,"error_description":…}`.
  package static func response(_ status: StatusCode, error: String, description: String?) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("error", error)
      if let description { writer.member("error_description", description) }
    }
    var response = Response(json: writer.bytes, status: status)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}
