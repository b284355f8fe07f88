import Testing
import Time
import Timeline

@testable import Providers

@Suite struct RateLimitTests {
  private func limit(_ headers: [String: String], status: Int = 200) -> RateLimit? {
    Samples.twitter.rateLimit(from: Samples.respond("[]", status: status, headers: headers))
  }

  private func reset(_ text: String, date: Timestamp? = nil) -> Duration? {
    var headers = ["x-rate-limit-remaining": "3", "x-rate-limit-reset": text]
    if let date { headers["date"] = date.imfFixdate }
    return limit(headers).map { $0.reset - Samples.now }
  }

  @Test("the three rate-limit headers are read")
  func headers() {
    let headers = [
      "x-rate-limit-limit": "15", "x-rate-limit-remaining": "14", "x-rate-limit-reset": "\(Samples.now.seconds + 600)",
    ]
    #expect(limit(headers) == RateLimit(limit: 15, remaining: 14, reset: Samples.now + .seconds(600)))
  }

  @Test("GoToSocial's header names and ISO dates are read")
  func isoReset() {
    let headers = [
      "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2026-11-20T16:04:42.000Z",
    ]
    #expect(limit(headers, status: 429) == RateLimit(limit: 300, remaining: 0, reset: Samples.now + .seconds(282)))
  }

  @Test("the reset time is corrected by the difference between the clocks")
  func clockDifference() {
    let server = Samples.now + .seconds(3000)
    #expect(reset("\((server + .seconds(600)).seconds)", date: server) == .seconds(600))
    let behind = Samples.now - .seconds(3000)
    #expect(reset("\((behind + .seconds(600)).seconds)", date: behind) == .seconds(600))
    #expect(reset((server + .seconds(60)).rfc3339, date: server) == .seconds(60))
  }

  @Test("a reset time that is a small number counts as a duration in seconds")
  func durations() {
    #expect(reset("120") == .seconds(120))
    #expect(reset("120", date: Samples.now + .seconds(5000)) == .seconds(120))
  }

  private static let nonsense = [
    "", "soon", "-5", "0", "1.5", "\(Samples.now.seconds)", "\(Samples.now.seconds - 1)",
    "\(Samples.now.seconds + 86_401)",
    "\(Samples.now.milliseconds + 5000)", "9223372036854775807", "99999999999999999999", "2026-11-20T15:00:00Z",
  ]

  @Test(
    "a reset time that is past, too far ahead or invalid is replaced with the end of a full window", arguments: nonsense
  )
  func replaced(text: String) { #expect(reset(text) == .seconds(900)) }

  @Test("a missing reset time is replaced with the end of a full window")
  func missingReset() {
    #expect(limit(["x-rate-limit-remaining": "0"])?.reset == Samples.now + .seconds(900))
  }

  @Test("a response without a remaining count has no rate limit, unless its status is 429")
  func missingRemaining() {
    #expect(limit([:]) == nil)
    #expect(limit(["x-rate-limit-remaining": "lots"]) == nil)
    #expect(limit([:], status: 429) == RateLimit(limit: nil, remaining: 0, reset: Samples.now + .seconds(900)))
  }

  @Test("a negative remaining count means that no requests remain, and a negative limit is ignored")
  func negative() {
    let limit = limit(["x-rate-limit-limit": "-1", "x-rate-limit-remaining": "-2", "x-rate-limit-reset": "60"])
    #expect(limit == RateLimit(limit: nil, remaining: 0, reset: Samples.now + .seconds(60)))
  }

  private func retryAfter(_ text: String, date: Timestamp? = nil) -> Duration? {
    var headers = ["retry-after": text]
    if let date { headers["date"] = date.imfFixdate }
    return Samples.respond("", status: 503, headers: headers).retryAfter.map { $0 - Samples.now }
  }

  @Test("Retry-After is read as seconds, or as a date on the server's clock, and is limited to a day")
  func retryAfter() {
    #expect(retryAfter("0") == .zero)
    #expect(retryAfter(" 30\t") == .seconds(30))
    #expect(retryAfter("9223372036854775807") == .seconds(86_400))
    #expect(retryAfter((Samples.now + .seconds(90)).imfFixdate) == .seconds(90))
    let server = Samples.now + .seconds(1000)
    #expect(retryAfter((server + .seconds(90)).imfFixdate, date: server) == .seconds(90))
    #expect(retryAfter((Samples.now + .seconds(99_999_999)).imfFixdate) == .seconds(86_400))
  }

  @Test(
    "an invalid or past Retry-After is ignored", arguments: ["", "-1", "soon", "1.5", Samples.now.imfFixdate])
  func badRetryAfter(text: String) { #expect(retryAfter(text) == nil) }
}
