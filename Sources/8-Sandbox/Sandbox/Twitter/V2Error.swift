internal import HTTP
internal import JSON

/// An error response from the v2 API: a problem document (RFC 9457).
struct V2Error: Error {
  let status: StatusCode
  let title: String
  let detail: String
  let type: String
  /// Members that only some errors have, as JSON.
  var more: [(name: String, json: String)] = []
  /// The invalid parameter, its value, and the reason.
  var parameter: (name: String, value: String, message: String)?
  /// Whether the document has a `status` member.
  var saysStatus = true

  static let unauthorized = V2Error(status: .unauthorized, "Unauthorized", "Unauthorized", "about:blank")
  static let forbidden = V2Error(status: .forbidden, "Forbidden", "Forbidden", "about:blank")
  static let notFound = V2Error(status: .notFound, "Not Found", "Not Found", "about:blank")
  static let rateLimited = V2Error(status: .tooManyRequests, "Too Many Requests", "Too Many Requests", "about:blank")

  static var usageCapped: V2Error {
    var refusal = V2Error(
      status: .tooManyRequests, "UsageCapExceeded", "Usage cap exceeded: Monthly product cap",
      "https://api.twitter.com/2/problems/usage-capped")
    refusal.more = [("period", "\"Monthly\""), ("scope", "\"Product\"")]
    refusal.saysStatus = false
    return refusal
  }

  static var clientNotEnrolled: V2Error {
    var refusal = V2Error(
      status: .forbidden, "Client Forbidden", "This application is not enrolled in a package that may read this.",
      "https://api.twitter.com/2/problems/client-forbidden")
    refusal.more = [("reason", "\"client-not-enrolled\""), ("client_id", "\"1\"")]
    refusal.saysStatus = false
    return refusal
  }

  static func creditsDepleted(_ form: V2Quirks.CreditError) -> V2Error {
    switch form {
    case .older:
      var refusal = V2Error(
        status: StatusCode(402), "CreditsDepleted",
        "Your enrolled account [1890000000000000001] does not have any credits to fulfill this request.",
        "https://api.twitter.com/2/problems/credits")
      refusal.more = [("account_id", "1890000000000000001")]
      refusal.saysStatus = false
      return refusal
    case .newer:
      return V2Error(
        status: StatusCode(402), "Payment Required", "credits depleted",
        "https://api.x.com/2/problems/credits-depleted")
    }
  }

  static func badParameter(_ name: String, _ value: String, _ message: String) -> V2Error {
    var refusal = V2Error(
      status: .badRequest, "Invalid Request", "One or more parameters to your request was invalid.",
      "https://api.twitter.com/2/problems/invalid-request")
    refusal.parameter = (name, value, message)
    refusal.saysStatus = false
    return refusal
  }

  /// Returns the error for a request that the server understands but refuses.
  static func forbidden(_ detail: String) -> V2Error { V2Error(status: .forbidden, "Forbidden", detail, "about:blank") }

  /// Returns the error for an invalid JSON body.
  static func badBody(_ message: String) -> V2Error { .badParameter("body", "", message) }

  private init(status: StatusCode, _ title: String, _ detail: String, _ type: String) {
    self.status = status
    self.title = title
    self.detail = detail
    self.type = type
  }

  /// Converts a v1.1 API error to its v2 form. It gives no details about failed authentication.
  init(_ refusal: TwitterError) {
    if refusal.status == .unauthorized {
      self = .unauthorized
    } else {
      self.init(status: refusal.status, refusal.status.reasonPhrase, refusal.message, "about:blank")
    }
  }

  var response: Response {
    var writer = JSONWriter()
    writer.object { writer in
      for member in more {
        writer.name(member.name)
        writer.raw(member.json.utf8)
      }
      if let parameter {
        writer.name("errors")
        writer.array { writer in
          writer.object { writer in
            writer.name("parameters")
            writer.object { $0.member(parameter.name, list: [parameter.value]) { $0.string($1) } }
            writer.member("message", parameter.message)
          }
        }
      }
      writer.member("title", title)
      writer.member("detail", detail)
      writer.member("type", type)
      if saysStatus { writer.member("status", status.code) }
    }
    var response = Response(json: writer.bytes, status: status)
    response.headers.set(.contentType, "application/problem+json")
    return response
  }
}
