internal import HTTP

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
