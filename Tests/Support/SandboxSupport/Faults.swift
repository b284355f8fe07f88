package import HTTP
package import Sandbox
package import Settings

/// Faults for tests, in addition to the faults that `homeline sandbox --fault` offers.
extension SandboxFault {
  package static func named(_ name: FaultName) -> SandboxFault { name.fault }

  /// Returns an error from Twitter's v1.1 API.
  package static func error(_ status: Int, code: Int, _ message: String) -> SandboxFault {
    json(status, #"{"errors":[{"code":\#(code),"message":"\#(message)"}]}"#)
  }

  /// Returns an error from Weibo's API.
  package static func weibo(_ status: Int, code: Int, _ error: String, path: String) -> SandboxFault {
    json(status, #"{"error":"\#(error)","error_code":\#(code),"request":"\#(path)"}"#)
  }

  /// Returns an error from X's v2 API that contains only its status.
  package static func problem(_ status: Int, _ title: String) -> SandboxFault {
    json(
      status, #"{"title":"\#(title)","detail":"\#(title)","type":"about:blank","status":\#(status)}"#,
      type: "application/problem+json")
  }

  /// An error that X once sent to all clients for two hours.
  package static var unauthorized: SandboxFault { problem(401, "Unauthorized") }
  package static var serviceUnavailable: SandboxFault { problem(503, "Service Unavailable") }

  /// The older of X's two responses for exhausted credit.
  package static var creditsDepletedOlder: SandboxFault {
    json(
      402,
      """
      {"account_id":1890000000000000001,"title":"CreditsDepleted","detail":"Your enrolled account [1890000000000000001] does \
      not have any credits to fulfill this request.","type":"https://api.twitter.com/2/problems/credits"}
      """, type: "application/problem+json")
  }

  /// Returns the error for an exhausted rate limit of Twitter's v1.1 API.
  /// - Parameter reset: the end of the window in seconds since 1970; `nil` sends no `x-rate-limit-…` headers.
  package static func rateLimited(reset: Int?) -> SandboxFault {
    var response = jsonResponse(429, #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#)
    if let reset {
      response.headers.set("x-rate-limit-limit", "15")
      response.headers.set("x-rate-limit-remaining", "0")
      response.headers.set("x-rate-limit-reset", FieldValue(reset))
    }
    return .respond(response)
  }

  /// Returns a different value of `oauth_callback_confirmed`; `nil` omits the parameter.
  package static func confirmation(_ value: String?) -> SandboxFault {
    .change { response in
      let others = response.body.split(separator: UInt8(ascii: "&"))
        .filter { !$0.starts(with: "oauth_callback_confirmed=".utf8) }
      let confirmation = value.map { [Array("oauth_callback_confirmed=\($0)".utf8)[...]] } ?? []
      response.body = Array((others + confirmation).joined(separator: [UInt8(ascii: "&")]))
    }
  }

  /// Returns a different `Content-Type`.
  package static func contentType(_ type: FieldValue) -> SandboxFault {
    .change { $0.headers.set(.contentType, type) }
  }

  /// Sends only the first bytes of the body, in a complete message.
  package static func cut(to count: Int) -> SandboxFault {
    .change { $0.body = Array($0.body.prefix(count)) }
  }

  /// Closes the connection after the given number of bytes of the body.
  package static func breakOff(after count: Int) -> SandboxFault { .stall(after: count, for: .milliseconds(50)) }

  private static func json(
    _ status: Int, _ text: String, type: FieldValue = "application/json; charset=utf-8"
  ) -> SandboxFault {
    .respond(jsonResponse(status, text, type: type))
  }

  private static func jsonResponse(
    _ status: Int, _ text: String, type: FieldValue = "application/json; charset=utf-8"
  ) -> Response {
    Response(status: StatusCode(status), headers: [.contentType: type], body: Array(text.utf8))
  }
}
