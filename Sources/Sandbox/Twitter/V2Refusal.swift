internal import HTTP
internal import JSON

/// A request turned away in the words of the API v2: a problem document (RFC 9457).
struct V2Refusal: Error {
  let status: StatusCode
  let title: String
  let detail: String
  let type: String
  /// Members that only some of them have, as JSON.
  var more: [(name: String, json: String)] = []
  /// The parameter that is wrong, its value, and what is wrong with it.
  var parameter: (name: String, value: String, message: String)?
  /// Whether the document itself says the status.
  var saysStatus = true

  static let unauthorized = V2Refusal(status: .unauthorized, "Unauthorized", "Unauthorized", "about:blank")
  static let forbidden = V2Refusal(status: .forbidden, "Forbidden", "Forbidden", "about:blank")
  static let notFound = V2Refusal(status: .notFound, "Not Found", "Not Found", "about:blank")
  static let rateLimited = V2Refusal(status: .tooManyRequests, "Too Many Requests", "Too Many Requests", "about:blank")
  static let serviceUnavailable = V2Refusal(
    status: .serviceUnavailable, "Service Unavailable", "Service Unavailable", "about:blank")

  static var usageCapped: V2Refusal {
    var refusal = V2Refusal(
      status: .tooManyRequests, "UsageCapExceeded", "Usage cap exceeded: Monthly product cap",
      "https://api.twitter.com/2/problems/usage-capped")
    refusal.more = [("period", "\"Monthly\""), ("scope", "\"Product\"")]
    refusal.saysStatus = false
    return refusal
  }

  static var clientNotEnrolled: V2Refusal {
    var refusal = V2Refusal(
      status: .forbidden, "Client Forbidden", "This application is in no package that may read this.",
      "https://api.twitter.com/2/problems/client-forbidden")
    refusal.more = [("reason", "\"client-not-enrolled\""), ("client_id", "\"1\"")]
    refusal.saysStatus = false
    return refusal
  }

  static func creditsDepleted(_ words: V2Faults.CreditWords) -> V2Refusal {
    switch words {
    case .older:
      var refusal = V2Refusal(
        status: StatusCode(402), "CreditsDepleted",
        "Your enrolled account [1890000000000000001] does not have any credits to fulfill this request.",
        "https://api.twitter.com/2/problems/credits")
      refusal.more = [("account_id", "1890000000000000001")]
      refusal.saysStatus = false
      return refusal
    case .newer:
      return V2Refusal(
        status: StatusCode(402), "Payment Required", "credits depleted",
        "https://api.x.com/2/problems/credits-depleted")
    }
  }

  static func badParameter(_ name: String, _ value: String, _ message: String) -> V2Refusal {
    var refusal = V2Refusal(
      status: .badRequest, "Invalid Request", "One or more parameters to your request was invalid.",
      "https://api.twitter.com/2/problems/invalid-request")
    refusal.parameter = (name, value, message)
    refusal.saysStatus = false
    return refusal
  }

  private init(status: StatusCode, _ title: String, _ detail: String, _ type: String) {
    self.status = status
    self.title = title
    self.detail = detail
    self.type = type
  }

  /// What the gate says, in the words of this version: whoever is turned away for his signature is told no more than that.
  init(_ refusal: Refusal) {
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

/// Answers of the real API v2.
extension SandboxFault {
  package static func creditsDepleted(_ words: V2Faults.CreditWords) -> SandboxFault {
    .answer(V2Refusal.creditsDepleted(words).response)
  }

  /// The month's cap is reached, while the window of the rate limit has room.
  package static var usageCapped: SandboxFault {
    var response = V2Refusal.usageCapped.response
    response.headers.set("x-rate-limit-limit", "180")
    response.headers.set("x-rate-limit-remaining", "179")
    return .answer(response)
  }

  package static var clientNotEnrolled: SandboxFault { .answer(V2Refusal.clientNotEnrolled.response) }

  /// What X answered to everybody for two hours once.
  package static var unauthorized: SandboxFault { .answer(V2Refusal.unauthorized.response) }

  package static var serviceUnavailable: SandboxFault { .answer(V2Refusal.serviceUnavailable.response) }
}
