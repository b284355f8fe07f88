package import HTTP

/// Why an access token opens nothing (RFC 6750 §3.1).
package enum TokenFault: Error, Sendable, Equatable, CaseIterable {
  /// There is none.
  case missing
  /// There are two.
  case ambiguous
  case unknown
  case expired
  case revoked

  /// Words and status of RFC 6750 §3, with nothing in the body.
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
