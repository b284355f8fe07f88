internal import HTTP

extension OAuth2Failure {
  /// In the words of X, which calls nearly everything an invalid request. Those of a dead refresh token and of a used or late
  /// code are X's own; the others follow their manner.
  var xResponse: Response {
    switch self {
    case .refreshTokenUnknown, .refreshTokenUsed, .refreshTokenExpired: Self.invalid("token was")
    case .codeUnknown, .codeUsed, .codeExpired: Self.invalid("authorization code was")
    case .wrongRedirect: Self.invalid("redirect uri did not match the uri of the authorization code", end: "")
    case .wrongVerifier: Self.invalid("code verifier did not match the code challenge", end: "")
    case .authenticationMissing, .authenticationNotTaken, .wrongSecret:
      Self.response(.unauthorized, error: "unauthorized_client", description: "Missing valid authorization header")
    default: response
    }
  }

  private static func invalid(_ what: String, end: String = " invalid") -> Response {
    response(.badRequest, error: "invalid_request", description: "Value passed for the \(what)\(end).")
  }
}
