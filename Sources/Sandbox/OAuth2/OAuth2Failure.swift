package import HTTP
internal import JSON

/// Why a client gets no token, finely enough for servers that have words of their own; ``response`` has those of RFC 6749 §5.2.
package enum OAuth2Failure: Error, Sendable, Equatable {
  /// A parameter is missing, there twice or senseless; with words.
  case badRequest(String)
  /// Nobody by this identifier is registered.
  case unknownClient
  /// The client has a secret and did not show it.
  case authenticationMissing
  case wrongSecret
  /// It showed who it is in a way, or in two, that this server does not take.
  case authenticationNotTaken
  case grantTypeNotSupported
  case scopeNotAllowed
  /// A code that was never issued, or to another client.
  case codeUnknown
  /// What it had brought is revoked.
  case codeUsed
  case codeExpired
  case wrongRedirect
  case wrongVerifier
  /// A refresh token that was never issued, to another client, or is revoked.
  case refreshTokenUnknown
  /// It was rotated away.
  case refreshTokenUsed
  case refreshTokenExpired
  /// Somebody else's token is not for this client to revoke.
  case notOwnToken
  case devicePending
  case deviceTooFast
  case deviceDenied
  case deviceCodeExpired

  /// By RFC 6749 §5.2 and RFC 8628 §3.5.
  package var code: String {
    switch self {
    case .badRequest: "invalid_request"
    case .unknownClient, .authenticationMissing, .wrongSecret, .authenticationNotTaken: "invalid_client"
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

  package var words: String {
    switch self {
    case .badRequest(let words): words
    case .unknownClient: "The client is not known."
    case .authenticationMissing: "The client has a secret and did not show it."
    case .wrongSecret: "The client's secret is wrong."
    case .authenticationNotTaken: "The client must say who it is in one of the ways that are taken here."
    case .grantTypeNotSupported: "The grant_type is not supported."
    case .scopeNotAllowed: "The scope is unknown, or more than may be asked for."
    case .codeUnknown: "The code is not known."
    case .codeUsed: "The code was used before."
    case .codeExpired: "The code has expired."
    case .wrongRedirect: "The redirect_uri is not the one of the authorisation request."
    case .wrongVerifier: "The code_verifier does not belong to the code."
    case .refreshTokenUnknown: "The refresh token is not known."
    case .refreshTokenUsed: "The refresh token was used before."
    case .refreshTokenExpired: "The refresh token has expired."
    case .notOwnToken: "The token belongs to another client."
    case .devicePending: "The user has not decided yet."
    case .deviceTooFast: "Ask less often."
    case .deviceDenied: "The user has refused."
    case .deviceCodeExpired: "The device code has expired."
    }
  }

  package var status: StatusCode { code == "invalid_client" ? .unauthorized : .badRequest }

  package var response: Response {
    var response = Self.response(status, error: code, description: words)
    if status == .unauthorized { response.headers.set("WWW-Authenticate", "Basic realm=\"sandbox\"") }
    return response
  }

  /// `{"error":…,"error_description":…}` with whatever words.
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
