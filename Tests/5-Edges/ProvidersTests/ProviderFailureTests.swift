import Testing
import Time
import Timeline

@testable import Providers

@Suite struct ProviderFailureTests {
  private func failure(
    _ body: String, _ status: Int, _ headers: [String: String] = [:], signedAt: Timestamp? = nil,
    by provider: any Provider = Samples.twitter
  ) -> ProviderFailure? {
    provider.classify(Samples.respond(body, status: status, headers: headers, signedAt: signedAt))
  }

  private func coded(_ code: Int) -> String { #"{"errors":[{"code":\#(code),"message":"Reason."}]}"# }

  @Test("a response without an error is not a refusal")
  func nothing() { #expect(failure(#"{"access_token":"x"}"#, 200) == nil) }

  private static let codes: [(code: Int, status: Int, problem: Problem.Code)] = [
    (32, 401, .configuration), (88, 429, .rateLimited), (89, 401, .notAuthorised), (130, 503, .provider),
    (215, 400, .configuration), (453, 403, .closed), (326, 403, .locked), (64, 403, .locked), (44, 400, .provider),
  ]

  @Test("each error code maps to its problem and keeps the provider's message", arguments: codes)
  func judged(code: Int, status: Int, problem: Problem.Code) {
    let failure = failure(coded(code), status)
    #expect(failure?.problem.code == problem)
    #expect(failure?.message.contains("Reason.") == true)
    #expect(failure?.problem.message == failure?.message)
  }

  @Test("X's closed API is reported with its successor, and messages about other servers do not mention X")
  func closed() {
    #expect(failure(coded(453), 403)?.message.contains("use the provider 'x'") == true)
    #expect(failure(coded(453), 403, by: Samples.other)?.message.contains("X has closed") == false)
  }

  @Test("a since_id that is too old is its own kind of failure, so that the next request can omit it")
  func sinceRefused() {
    guard case .sinceRefused? = failure(coded(44), 400) else {
      Issue.record("not distinguished")
      return
    }
  }

  @Test("a rate limit ends at its reset time, which is converted to the local clock")
  func limit() {
    let reset = Samples.now + .seconds(300)
    let headers = ["x-rate-limit-remaining": "0", "x-rate-limit-reset": "\(reset.seconds)"]
    #expect(failure(coded(88), 429, headers)?.problem.retryAt == reset)
    #expect(failure("", 429, headers)?.problem.retryAt == reset)
    #expect(failure("", 420, headers)?.problem.retryAt == reset)
  }

  @Test("Retry-After takes precedence over the reset time of the rate limit")
  func retryAfter() {
    let headers = ["x-rate-limit-reset": "\(Samples.now.seconds + 300)", "retry-after": "42"]
    #expect(failure("", 429, headers)?.problem.retryAt == Samples.now + .seconds(42))
  }

  @Test("a rate limit without an end lasts for one window")
  func limitWithoutEnd() { #expect(failure("", 429)?.problem.retryAt == Samples.now + .seconds(900)) }

  @Test("after a demand for payment, requests pause for an hour or until Retry-After")
  func paused() {
    #expect(failure("", 402)?.problem.code == .paused)
    #expect(failure("", 402)?.problem.retryAt == Samples.now + .seconds(3600))
    #expect(failure("", 402, ["retry-after": "60"])?.problem.retryAt == Samples.now + .seconds(3600))
    #expect(failure("", 402, ["retry-after": "7200"])?.problem.retryAt == Samples.now + .seconds(7200))
  }

  @Test("a server error keeps the time in the response's Retry-After")
  func transient() {
    guard case .transient(_, let until)? = failure("<html>down</html>", 503, ["retry-after": "120"]) else {
      Issue.record("not transient")
      return
    }
    #expect(until == Samples.now + .seconds(120))
    guard case .transient(_, until: nil)? = failure("", 500) else {
      Issue.record("not transient")
      return
    }
  }

  @Test("a refused timestamp yields the server's time from the header or the message")
  func clock() {
    let date = Samples.now + .seconds(600)
    guard case .clock(_, let byHeader)? = failure(coded(135), 401, ["date": date.imfFixdate]) else {
      Issue.record("the failure is not attributed to the clock")
      return
    }
    #expect(byHeader == date)
    guard case .clock(_, let byMessage)? = failure("Expired timestamp, yours 5, ours \(date.seconds)", 401) else {
      Issue.record("the failure is not attributed to the clock")
      return
    }
    #expect(byMessage == date)
  }

  @Test(
    "a refused signature is attributed to the clock only while the clocks differ by a minute"
  )
  func suspectedClock() {
    let date = Samples.now + .seconds(600)
    let headers = ["date": date.imfFixdate]
    guard case .clock(_, date)? = failure(coded(32), 401, headers) else {
      Issue.record("the failure is not attributed to the clock")
      return
    }
    #expect(failure(coded(32), 401, headers, signedAt: date)?.problem.code == .configuration)
    guard case .configuration? = failure(coded(32), 401, headers, signedAt: date) else {
      Issue.record("the failure is not attributed to the keys")
      return
    }
    guard case .configuration? = failure(coded(32), 401, ["date": (Samples.now + .seconds(60)).imfFixdate]) else {
      Issue.record("a difference of a minute is attributed to the clock")
      return
    }
  }

  @Test("an expired token is not attributed to the clock")
  func expiredToken() {
    guard case .needsLogin? = failure(coded(89), 401, ["date": (Samples.now + .seconds(600)).imfFixdate]) else {
      Issue.record("needs a login")
      return
    }
  }

  @Test("error responses in XML are understood")
  func xml() {
    let body = #"<?xml version="1.0"?><errors><error code="89">Invalid or expired token.</error></errors>"#
    #expect(failure(body, 401)?.problem.code == .notAuthorised)
  }
}
