internal import HTTP
internal import JSON

/// An API error response.
enum MastodonError: Error {
  case token(AccessTokenError)
  case outsideScopes
  /// Takahē's error.
  case outOfScope
  /// WordPress's error for a missing scope.
  case unauthorizedScope
  case notFound
  case invalid(String)
  case conflict
  case tooManyRequests

  private var status: StatusCode {
    switch self {
    case .token, .unauthorizedScope: .unauthorized
    case .outsideScopes, .outOfScope: .forbidden
    case .notFound: .notFound
    case .invalid: StatusCode(422)
    case .conflict: .conflict
    case .tooManyRequests: .tooManyRequests
    }
  }

  private var message: String {
    switch self {
    case .token(.expired): "The access token has expired"
    case .token(.revoked): "The access token was revoked"
    case .token: "The access token is invalid"
    case .unauthorizedScope: "token-required"
    case .outOfScope: "out_of_scope_for_token"
    case .outsideScopes: "This action is outside the authorized scopes"
    case .notFound: "Record not found"
    case .invalid(let reason): "Validation failed: " + reason
    case .conflict: "Conflict during update, please try again"
    case .tooManyRequests: "Too many requests"
    }
  }

  func response(_ flavour: MastodonFlavour) -> Response {
    if case .notFound = self, flavour == .snac {
      return Response(status: .notFound, type: "text/html; charset=utf-8", text: "<h1>404 Not Found (snac/2.75)</h1>")
    }
    if flavour.hasEmptyErrors { return Response(status: status, headers: [.contentType: "application/json"]) }
    var writer = JSONWriter()
    writer.object { $0.member("error", message) }
    return Response(json: writer.bytes, status: status)
  }
}
