import Testing
import Time
import Timeline

@testable import Providers

@Suite struct XFailureTests {
  private func failure(_ body: String, _ status: Int, _ headers: [String: String] = [:]) -> ProviderFailure? {
    Samples.x.classify(Samples.respond(body, status: status, headers: headers))
  }

  static let demands = [
    (
      402,
      #"{"account_id":1890000000000000001,"title":"CreditsDepleted","detail":"Your enrolled account [1890000000000000001] "#
        + #"does not have any credits to fulfill this request.","type":"https://api.twitter.com/2/problems/credits"}"#
    ),
    (
      402,
      #"{"title":"Payment Required","detail":"credits depleted","status":402,"#
        + #""type":"https://api.x.com/2/problems/credits-depleted"}"#
    ),
    (
      429,
      #"{"title":"UsageCapExceeded","period":"Monthly","scope":"Product","product_name":"standard-basic","account_id":"1","#
        + #""detail":"Usage cap exceeded: Monthly product cap","type":"https://api.twitter.com/2/problems/usage-capped"}"#
    ),
  ]

  @Test(
    "a demand for payment or a usage cap pauses requests for an hour, even within the rate limit", arguments: demands)
  func paused(status: Int, body: String) throws {
    let headers = [
      "x-rate-limit-limit": "180", "x-rate-limit-remaining": "171",
      "x-rate-limit-reset": "\(Samples.now.seconds + 300)",
    ]
    let failure = failure(body, status, headers)
    #expect(failure?.problem.code == .paused)
    #expect(failure?.problem.retryAt == Samples.now + .seconds(3600))
    let limit = Samples.x.rateLimit(from: Samples.respond(body, status: status, headers: headers))
    #expect(limit?.remaining == 171)
  }

  @Test(
    "X's rate limit is recognised in the format of either API version",
    arguments: [
      #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#,
      #"{"title":"Too Many Requests","detail":"Too Many Requests","type":"about:blank","status":429}"#,
    ])
  func limit(body: String) {
    let headers = ["x-rate-limit-remaining": "0", "x-rate-limit-reset": "\(Samples.now.seconds + 300)"]
    #expect(failure(body, 429, headers)?.problem.code == .rateLimited)
    #expect(failure(body, 429, headers)?.problem.retryAt == Samples.now + .seconds(300))
  }

  private static let unauthorized =
    #"{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}"#

  @Test("a 401 without a reason counts as an outage: the request is retried, and the message gives advice")
  func unauthorized() {
    let failure = failure(Self.unauthorized, 401)
    #expect(failure?.problem.code == .provider)
    #expect(failure?.message.contains("log in again") == true)
  }

  @Test("a 401 without a reason is attributed to the clock while the clocks differ")
  func clock() {
    let date = Samples.now + .seconds(600)
    guard case .clock(_, date)? = failure(Self.unauthorized, 401, ["date": date.imfFixdate]) else {
      Issue.record("the failure is not attributed to the clock")
      return
    }
  }

  @Test("a 401 that reports an invalid token requires a login")
  func deadToken() {
    #expect(
      failure(#"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, 401)?.problem.code == .notAuthorised)
  }

  @Test("a refusal of an application that is not enrolled leads to advice")
  func notEnrolled() {
    let body =
      #"{"client_id":"1","detail":"Attach the App to a Project.","title":"Client Forbidden","#
      + #""reason":"client-not-enrolled","type":"https://api.twitter.com/2/problems/client-forbidden"}"#
    #expect(failure(body, 403)?.problem.code == .closed)
    #expect(failure(body, 403)?.message.contains("developer site") == true)
  }

  @Test("a refused since_id is its own kind of failure, so that the next request can omit it")
  func since() {
    let body =
      #"{"errors":[{"parameters":{"since_id":["1"]},"message":"'since_id' must be a post id created after [x]"}],"#
      + #""title":"Invalid Request","detail":"One or more parameters to your request was invalid.","#
      + #""type":"https://api.x.com/2/problems/invalid-request"}"#
    guard case .sinceRefused? = failure(body, 400) else {
      Issue.record("not distinguished")
      return
    }
    guard case .refused? = failure(body.replacing("since_id", with: "max_results"), 400) else {
      Issue.record("an invalid max_results is not an ordinary refusal")
      return
    }
  }

  @Test(
    "X's temporary errors are recognised in each of their formats",
    arguments: ["", "<html>x</html>", #"{"title":"Service Unavailable","type":"about:blank","status":503}"#])
  func transient(body: String) {
    guard case .transient? = failure(body, 503) else {
      Issue.record("not transient")
      return
    }
  }
}
