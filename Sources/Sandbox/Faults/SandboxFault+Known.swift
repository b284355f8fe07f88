package import HTTP

/// Answers of the real API, and what stands between it and a client.
extension SandboxFault {
  /// An error in the API's JSON.
  package static func error(_ status: Int, code: Int, _ message: String) -> SandboxFault {
    .answer(Refusal(status: StatusCode(status), code: code, message: message).response)
  }

  /// The token was revoked somewhere else.
  package static var tokenKilled: SandboxFault { .answer(Refusal.invalidToken.response) }

  package static var accountLocked: SandboxFault {
    .answer(
      Response(
        status: .forbidden, type: "application/json; charset=utf-8",
        text: """
          {"errors":[{"code":326,"message":"To protect our users from spam and other malicious activity, this account is \
          temporarily locked. Please log in to https://twitter.com to unlock your account.","sub_error_code":0,\
          "bounce_location":"https://twitter.com/account/access"}]}
          """))
  }

  /// What ordinary applications get at X today.
  package static var endpointClosed: SandboxFault {
    error(
      403, code: 453,
      "You currently have access to a subset of X API V2 endpoints and limited v1.1 endpoints only. "
        + "If you need access to this endpoint, you may need a different access level.")
  }

  /// A page of HTML from in front of the API.
  package static var overCapacity: SandboxFault {
    .answer(
      Response(
        status: .serviceUnavailable, type: "text/html; charset=utf-8",
        text:
          "<!DOCTYPE html><html><head><title>Over capacity</title></head><body><h1>Over capacity</h1></body></html>\n"))
  }

  /// XML, as the `oauth/` endpoints answer.
  package static var callbackNotApproved: SandboxFault { .answer(.callbackNotApproved) }

  /// Plain text: the application has no callback registered.
  package static var outOfBandOnly: SandboxFault {
    .answer(
      Response(
        status: .unauthorized, type: "text/html;charset=utf-8",
        text: "Desktop applications only support the oauth_callback value 'oob'"))
  }

  /// A refusal with status 200, which only the body gives away.
  package static var refusedWithOK: SandboxFault {
    .answer(
      Response(
        status: .ok, type: "text/html;charset=utf-8",
        text: "Error: Failed to validate oauth signature and token"))
  }

  /// The page of a network that wants a log-in of its own first.
  package static var captivePortal: SandboxFault {
    .answer(
      Response(
        status: .ok, type: "text/html; charset=utf-8",
        text: "<!DOCTYPE html><html><head><title>Welcome</title></head><body>Accept the terms to go on.</body></html>\n"
      ))
  }

  /// The limit is used up until `reset`, in seconds since 1970; without it the headers are missing too.
  package static func rateLimited(reset: Int?) -> SandboxFault {
    var response = Refusal.rateLimited.response
    if let reset {
      response.headers.set("x-rate-limit-limit", "15")
      response.headers.set("x-rate-limit-remaining", "0")
      response.headers.set("x-rate-limit-reset", FieldValue(reset))
    }
    return .answer(response)
  }

  /// `oauth_callback_confirmed` with another value, or without any (nil).
  package static func confirmation(_ value: String?) -> SandboxFault {
    .change { response in
      let others = response.body.split(separator: UInt8(ascii: "&"))
        .filter { !$0.starts(with: "oauth_callback_confirmed=".utf8) }
      let confirmation = value.map { [Array("oauth_callback_confirmed=\($0)".utf8)[...]] } ?? []
      response.body = Array((others + confirmation).joined(separator: [UInt8(ascii: "&")]))
    }
  }

  /// The true answer under another type.
  package static func contentType(_ type: FieldValue) -> SandboxFault {
    .change { $0.headers.set(.contentType, type) }
  }

  /// Only the beginning of the true answer, in a message that is whole by itself.
  package static func cut(to count: Int) -> SandboxFault {
    .change { $0.body = Array($0.body.prefix(count)) }
  }
}
