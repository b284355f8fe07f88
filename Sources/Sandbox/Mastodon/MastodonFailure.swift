internal import HTTP
internal import JSON

/// Why the API gives nothing.
enum MastodonFailure: Error {
  case token(TokenFault)
  case outsideScopes
  case notFound
  case invalid(String)
  case tooManyRequests

  private var status: StatusCode {
    switch self {
    case .token: .unauthorized
    case .outsideScopes: .forbidden
    case .notFound: .notFound
    case .invalid: StatusCode(422)
    case .tooManyRequests: .tooManyRequests
    }
  }

  private var words: String {
    switch self {
    case .token(.expired): "The access token has expired"
    case .token(.revoked): "The access token was revoked"
    case .token: "The access token is invalid"
    case .outsideScopes: "This action is outside the authorized scopes"
    case .notFound: "Record not found"
    case .invalid(let words): "Validation failed: " + words
    case .tooManyRequests: "Too many requests"
    }
  }

  func response(_ flavour: MastodonFlavour) -> Response {
    if flavour.isWordless { return Response(status: status, headers: [.contentType: "application/json"]) }
    var writer = JSONWriter()
    writer.object { $0.member("error", words) }
    return Response(json: writer.bytes, status: status)
  }
}
