import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("The simulated Weibo's limits and errors")
struct WeiboLimitTests {
  @Test("A Weibo user may send 100 requests per day, in China's time zone; further requests get 403")
  func dailyLimit() throws {
    var app = WeiboTestClient()
    let token = try app.login()
    for _ in 0..<99 { #expect(app.get(.homeTimeline, ["access_token": token, "count": "1"]).status == .ok) }
    #expect(app.get(.usersShow, ["access_token": token, "screen_name": "lin_tea"]).status == .ok)
    let refused = app.get(.homeTimeline, ["access_token": token])
    #expect(refused.status == .forbidden && refused.weiboCode == 10023)
    app.now = WeiboTestClient.start + .seconds(86_399)
    #expect(app.get(.homeTimeline, ["access_token": token]).weiboCode == 10023)
    app.now = WeiboTestClient.start + .seconds(86_400)
    #expect(app.get(.homeTimeline, ["access_token": token]).status == .ok, "a new day has begun in China")
  }

  @Test("The rate limit resets in China's time zone, and asking for the rate limit is not counted")
  func standing() throws {
    var app = WeiboTestClient()
    let token = try app.login()
    app.now = WeiboTestClient.start + .seconds(3600)
    _ = app.get(.homeTimeline, ["access_token": token])
    for _ in 0..<3 {
      let standing = try ReceivedTable(app.get(.rateLimitStatus, ["access_token": token]))
      #expect(standing["remaining_user_hits"] == "99" && standing["user_limit"] == "100")
      #expect(standing["reset_time"] == "2026-11-22 00:00:00" && standing["reset_time_in_seconds"] == "82800")
      #expect(standing["ip_limit"] == "15000" && standing["limit_time_unit"] == "HOURS")
    }
  }

  @Test(
    "An invalid token produces an error with a configurable status and format",
    arguments: [400, 401, 403])
  func deadToken(status: Int) throws {
    var app = WeiboTestClient()
    let token = try app.login()
    _ = try app.page(token)
    app.weibo.quirks.tokenStatus = status
    app.weibo.tokens.server.tokens.revokeAll(of: nil)
    var refused = app.get(.homeTimeline, ["access_token": token])
    #expect(refused.status.code == status && refused.weiboCode == 21316)
    var body = try ReceivedTable(refused)
    #expect(body["request"] == "/2/statuses/home_timeline.json" && !body.strings.contains("error_code"))
    app.weibo.quirks.writesCodesAsText = true
    app.weibo.quirks.namesRequests = false
    refused = app.get(.homeTimeline, ["access_token": token])
    body = try ReceivedTable(refused)
    #expect(body["request"] == nil && body.strings.contains("error_code") && refused.weiboCode == 21316)
  }

  @Test("An application can be barred from the home timeline alone")
  func closed() throws {
    var app = WeiboTestClient()
    let token = try app.login()
    app.weibo.quirks.closesHomeTimeline = true
    let refused = app.get(.homeTimeline, ["access_token": token])
    #expect(refused.status == .forbidden && refused.weiboCode == 10014)
    #expect(app.get(.usersShow, ["access_token": token, "screen_name": "lin_tea"]).status == .ok)
  }

  @Test("A banned client gets empty responses with status 200 from the API, but not from the OAuth endpoints")
  func banned() throws {
    var app = WeiboTestClient()
    let token = try app.login()
    app.weibo.quirks.isBanned = true
    let response = app.get(.homeTimeline, ["access_token": token])
    #expect(response.status == .ok && response.body.isEmpty)
    #expect(try ReceivedTable(app.post(.tokenInfo, ["access_token": token]))["uid"] == SandboxUser.id)
  }

  @Test("Requests to Weibo with an unknown path or a wrong method are refused")
  func strangers() throws {
    var app = WeiboTestClient()
    let token = try app.login()
    let target = RequestTarget("/2/statuses/public_timeline.json")!
    #expect(app.send(Request(method: .get, target: target)).weiboCode == 10020)
    #expect(app.post(.homeTimeline, ["access_token": token]).weiboCode == 10021)
  }

  @Test("The Date header follows the simulated provider's clock")
  func date() throws {
    var app = WeiboTestClient()
    app.weibo.clockOffset = .seconds(-90)
    #expect(app.get(.defaultPage).headers.first("Date") == (app.now - .seconds(90)).imfFixdate)
  }

  @Test(
    "A Weibo post needs POST, a link to the safe domain and at most 140 characters, and 30 posts are allowed per hour"
  )
  func posts() throws {
    var client = WeiboTestClient()
    let token = try client.login()
    func share(_ text: String, rip: String = "", _ client: inout WeiboTestClient) -> Int? {
      client.post(.share, ["access_token": token, "status": text, "rip": rip]).weiboCode
    }
    #expect(client.get(.share, ["access_token": token, "status": "a"]).weiboCode == 10021)
    #expect(share("", &client) == 20008 && share("你好", &client) == 10017)
    #expect(share("http://app.example.org/", &client) == 10017 && share("http://notapp.example/", &client) == 10017)
    #expect(share(String(repeating: "好", count: 130) + "http://app.example/", &client) == nil)
    #expect(share(String(repeating: "好", count: 131) + "http://app.example/", &client) == 20012)
    #expect(share("a http://app.example/", rip: "nowhere", &client) == 10008)
    for number in 1..<30 {
      // There are many posts, because some variations depend on the post's id.
      let text = "\(number) http://app.example/" + String(repeating: "-", count: 150)
      let response = client.post(.share, ["access_token": token, "status": text, "rip": "203.0.113.7"])
      let published = try ReceivedTable(response)["text"]
      #expect(published == text || published == text + " \u{200b}")
    }
    #expect(share("one more http://app.example/", &client) == 10024)
    client.now = client.now + .seconds(3600)
    #expect(share("29 http://app.example/" + String(repeating: "-", count: 150), &client) == 20019)
    client.weibo.provider.quirks.requiresUserAddress = true
    #expect(share("b http://app.example/", &client) == 10016)
  }
}
