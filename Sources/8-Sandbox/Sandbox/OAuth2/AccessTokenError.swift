package import HTTP

/// The reason for refusing an access token (RFC 6750 §3.1).
package enum AccessTokenError: Error, Sendable, Equatable, CaseIterable {
  /// The request has no access token.
  case missing
  /// The request contains more than one access token.
  case ambiguous
  case unknown
  case expired
  case revoked

  /// The status and header from RFC 6750 §3, with an empty body.
  package var response: Response {
    let (status, challenge): (StatusCode, FieldValue) =
      switch self {
      case .missing: (.unauthorized, "Bearer realm=\"sandbox\"")
      case .ambiguous: (.badRequest, "Bearer realm=\"sandbox\", error=\"invalid_request\"")
      case .unknown, .revoked:
        (.unauthorized, "Bearer realm=\"sandbox\", error=\"invalid_token\", error_description=\"not valid\"")
      case .expired:
        (.unauthorized, "Bearer realm=\"sandbox\", error=\"invalid_token\", error_description=\"expired\"")
      }
    return Response(status: status, headers: ["WWW-Authenticate": challenge])
  }
}
