internal import HTTP
internal import JSON

/// An error response from Twitter's v1.1 API: `{"errors":[{"code":89,"message":"…"}]}`.
struct TwitterError: Error {
  let status: StatusCode
  let code: Int
  let message: String
  /// Details for developers of clients, in a member that the real API does not have.
  var reason: String?

  static func badAuthentication(_ reason: String) -> TwitterError {
    TwitterError(status: .badRequest, code: 215, message: "Bad Authentication data.", reason: reason)
  }

  static func notAuthenticated(_ reason: String) -> TwitterError {
    TwitterError(status: .unauthorized, code: 32, message: "Could not authenticate you.", reason: reason)
  }

  static let timestampOutOfBounds = TwitterError(
    status: .unauthorized, code: 135, message: "Timestamp out of bounds.")
  static let invalidToken = TwitterError(status: .unauthorized, code: 89, message: "Invalid or expired token.")
  static let rateLimited = TwitterError(status: .tooManyRequests, code: 88, message: "Rate limit exceeded")
  static let notFound = TwitterError(status: .notFound, code: 34, message: "Sorry, that page does not exist.")
  static let overCapacity = TwitterError(status: .serviceUnavailable, code: 130, message: "Over capacity")
  /// Returns the error for a failure of the cryptography library; the request itself may be correct.
  static func internalError(_ cause: any Error) -> TwitterError {
    TwitterError(status: .internalServerError, code: 131, message: "Internal error: \(cause)")
  }

  static func badParameter(_ name: String) -> TwitterError {
    TwitterError(status: .badRequest, code: 44, message: "\(name) parameter is invalid.")
  }

  var response: Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("errors")
      writer.array { writer in
        writer.object { writer in
          writer.member("code", code)
          writer.member("message", message)
          if let reason { writer.member("reason", reason) }
        }
      }
    }
    var response = Response(json: writer.bytes, status: status)
    if status == .unauthorized { response.headers.set("WWW-Authenticate", "OAuth realm=\"sandbox\"") }
    return response
  }
}
