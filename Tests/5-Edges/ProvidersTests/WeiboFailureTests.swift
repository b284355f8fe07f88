import HomelineOAuth
import Testing
import Time
import Timeline

@testable import Providers

@Suite struct WeiboFailureTests {
  private func failure(_ body: String, _ status: Int, _ headers: [String: String] = [:]) -> ProviderFailure? {
    WeiboSamples.weibo.classify(Samples.respond(body, status: status, headers: headers))
  }

  private static let ask = "/2/statuses/home_timeline.json"

  /// The error numbers, and the problem that they map to.
  static let numbers: [([Int], Problem.Code)] = [
    ([10001, 10002, 10003, 10009, 10010, 10011, 21331, 23201], .provider),
    ([10004, 21320, 21321, 21322, 21324, 21326], .configuration),
    ([10005, 10014, 10032, 21335], .closed),
    ([10022, 10023, 10024], .rateLimited),
    ([10006, 21301, 21314, 21315, 21316, 21317, 21319, 21325, 21327, 21332], .notAuthorised),
    ([10007, 10008, 10012, 10013, 10016, 10017, 10018, 10020, 10021], .provider),
    ([20003, 21323, 21328, 21329, 21330, 21337], .provider),
  ]

  @Test("each Weibo error code maps to its problem, as a number or a string, with any status", arguments: numbers)
  func judged(codes: [Int], problem: Problem.Code) {
    for code in codes {
      for (written, status) in [("\(code)", 400), ("\"\(code)\"", 401), ("\(code)", 403), ("\(code)", 200)] {
        let failure = failure(#"{"error":"an error","error_code":\#(written),"request":"\#(Self.ask)"}"#, status)
        #expect(failure?.problem.code == problem, "\(written) with \(status)")
        #expect(failure?.message.contains("“an error” (code \(code))") == true)
      }
    }
  }

  @Test("temporary Weibo errors are distinguished from permanent errors", arguments: numbers[0].0)
  func transient(code: Int) {
    guard case .transient? = failure(#"{"error":"busy","error_code":\#(code)}"#, 403) else {
      Issue.record("\(code) is not temporary")
      return
    }
  }

  @Test("a rate limit without an end pauses requests for an hour, and the message reports this")
  func limit() {
    let body = #"{"error":"User requests out of rate limit!","error_code":10023,"request":"\#(Self.ask)"}"#
    let failure = failure(body, 403)
    #expect(failure?.problem.retryAt == Samples.now + .seconds(3600))
    #expect(failure?.message.contains("does not report when") == true)
    #expect(self.failure(body, 403, ["retry-after": "120"])?.problem.retryAt == Samples.now + .seconds(120))
  }

  @Test("a refusal of an application without access to the home timeline leads to advice")
  func closed() {
    let failure = failure(
      #"{"error":"Insufficient app permissions!","error_code":10014,"request":"\#(Self.ask)"}"#, 403)
    #expect(failure?.problem.code == .closed)
    #expect(failure?.message.contains("open.weibo.com") == true)
  }

  @Test("the message about a refusal by the token endpoint includes the explanation")
  func tokenEndpoint() {
    let body =
      #"{"error":"invalid_client","error_code":21324,"request":"/oauth2/access_token","#
      + #""error_uri":"/oauth2/access_token","error_description":"client_secret error."}"#
    #expect(failure(body, 401)?.problem.code == .configuration)
    #expect(failure(body, 401)?.message.contains("client_secret error.") == true)
    #expect(
      failure(#"{"error":"redirect_uri_mismatch","error_code":21322}"#, 400)?.message.contains("callback") == true)
    #expect(
      failure(#"{"error_code":21327}"#, 400)?.problem.code == .notAuthorised,
      "the response has no members `error` and `request`")
  }

  @Test("refusals by the token endpoint are classified by their error code")
  func tokenFailure() throws {
    func failure(_ body: String, _ status: Int) throws -> ProviderFailure {
      let error = #expect(throws: OAuth2ResponseError.self) {
        try AccessTokenResponse(OAuthResponse(status: status, body: Array(body.utf8)))
      }
      return WeiboSamples.weibo.classifyToken(try #require(error), in: Samples.respond(body, status: status))
    }
    guard case .needsLogin = try failure(#"{"error":"invalid_grant","error_code":21325}"#, 400),
      case .configuration = try failure(#"{"error":"invalid_client","error_code":21324}"#, 401),
      case .configuration = try failure(#"{"error":"redirect_uri_mismatch","error_code":"21322"}"#, 400),
      case .transient(_, until: nil) = try failure(#"{"error":"temporarily_unavailable","error_code":21331}"#, 400),
      case .transient(_, until: Samples.now + .seconds(3600)) = try failure(#"{"error":"x","error_code":10022}"#, 403),
      case .refused = try failure(#"{"error":"invalid_request","error_code":21323}"#, 400),
      case .needsLogin = try failure(#"{"error":"invalid_grant"}"#, 400), case .transient = try failure("", 200)
    else {
      Issue.record("judged otherwise")
      return
    }
  }

  @Test("an unknown error code is classified by the HTTP status")
  func unknown() {
    guard case .refused? = failure(#"{"error":"new","error_code":29999}"#, 403),
      case .transient? = failure(#"{"error":"new","error_code":29999}"#, 503)
    else {
      Issue.record("judged otherwise")
      return
    }
  }

  @Test("an empty 200 response, as banned applications receive it, pauses requests for an hour")
  func banned() {
    #expect(failure("", 200)?.problem.code == .paused)
    #expect(failure("", 200)?.problem.retryAt == Samples.now + .seconds(3600))
    let error = #expect(throws: ProviderFailure.self) { try WeiboSamples.page("") }
    #expect(error?.problem.code == .paused)
  }

  @Test(
    "errors from a proxy in front of Weibo are temporary",
    arguments: [
      ("Bad Gateway", 502), ("<html><body>502</body></html>", 502), ("", 503), ("<html>log in</html>", 200),
      ("<html><body>Forbidden</body></html>", 403), ("", 401), ("Unauthorized", 401),
    ])
  func front(body: String, status: Int) {
    guard case .transient? = failure(body, status) else {
      Issue.record("\(status) is not temporary")
      return
    }
  }

  @Test("a 401 without a body is not attributed to the clock, because requests are not signed")
  func clock() {
    let date = (Samples.now + .seconds(6000)).imfFixdate
    guard case .transient? = failure("", 401, ["date": date]) else {
      Issue.record("the failure is attributed to the clock")
      return
    }
  }

  @Test("an error page encoded in GBK is handled")
  func gbk() {
    // The bytes are 系统繁忙，请稍后再试 in GBK.
    let message: [UInt8] = [
      0xcf, 0xb5, 0xcd, 0xb3, 0xb7, 0xb1, 0xc3, 0xa6, 0xa3, 0xac, 0xc7, 0xeb, 0xc9, 0xd4, 0xba, 0xf3,
    ]
    for (body, status) in [
      (Array("<html><head><meta charset=gbk></head><body>".utf8) + message, 200), (message, 503),
      (Array(#"{"error":""#.utf8) + message + Array(#"","error_code":10009}"#.utf8), 200),
      (Array(#"{"error":""#.utf8) + message + [0x81, 0x5c] + Array(#"","error_code":10009}"#.utf8), 503),
    ] {
      let response = ProviderResponse(status: status, body: body, receivedAt: Samples.now, hiding: .nothing)
      guard case .transient? = WeiboSamples.weibo.classify(response) else {
        Issue.record("not transient: \(String(decoding: body, as: UTF8.self))")
        continue
      }
      #expect(throws: ProviderFailure.self) {
        try WeiboSamples.weibo.page(from: response, for: TimelineQuery(count: 5))
      }
    }
  }

  @Test("a response with data is not a refusal")
  func data() {
    for body in [WeiboSamples.user, WeiboSamples.timeline([]), #"{"result":"true"}"#] {
      #expect(failure(body, 200) == nil)
    }
  }
}
