package import HTTP

/// Something that goes wrong with one answer.
package enum SandboxFault: Sendable {
  /// This is answered; the request is not even looked at.
  case answer(Response)
  /// The request is worked on, and its true answer changed on the way out.
  case change(@Sendable (inout Response) -> Void)
  /// The request is worked on, and the answer comes this much later.
  case delay(Duration)
  /// The connection ends without an answer. `worked` says whether the request was worked on before, so that what it
  /// brought about is true on one side only.
  case drop(worked: Bool)
  /// The request is worked on, and when this many bytes of the answer's body have left nothing comes any more; the connection breaks
  /// after that time.
  case stall(after: Int, for: Duration)
}

extension SandboxFault {
  /// The connection breaks when this many bytes of the answer's body have left: after an instant in which they can be taken.
  package static func breakOff(after count: Int) -> SandboxFault { .stall(after: count, for: .milliseconds(50)) }
}

/// What comes back for a request, and how.
package struct SandboxAnswer: Sendable {
  package var response: Response
  /// How much later it comes.
  package var delay: Duration = .zero
  /// Whether the connection ends instead.
  package var isDropped = false
  /// After how many bytes of the body nothing comes any more, until the connection breaks after `delay`; `nil` for an answer that
  /// comes whole.
  package var stallsAfter: Int?
}

extension SandboxAnswer {
  /// Has an answer go wrong.
  /// - Parameter work: what the provider does with the request; it is not called where the fault comes before.
  package init(_ fault: SandboxFault?, work: () -> Response) {
    switch fault {
    case .answer(let response): self.init(response: response)
    case .drop(worked: false): self.init(response: Response(status: .internalServerError), isDropped: true)
    case .drop(worked: true): self.init(response: work(), isDropped: true)
    case .delay(let delay): self.init(response: work(), delay: delay)
    case .stall(let count, let time): self.init(response: work(), delay: time, stallsAfter: count)
    case .change(let change):
      self.init(response: work())
      change(&response)
    case nil: self.init(response: work())
    }
  }
}

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
