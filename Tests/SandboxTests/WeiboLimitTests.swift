import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's Weibo: limits and trouble")
struct WeiboLimitTests {
  @Test("a user has 100 requests in a Chinese day; then Weibo refuses with 403")
  func dailyLimit() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    for _ in 0..<99 { #expect(walk.get(.homeTimeline, ["access_token": token, "count": "1"]).status == .ok) }
    #expect(walk.get(.usersShow, ["access_token": token, "screen_name": "lin_tea"]).status == .ok)
    let refused = walk.get(.homeTimeline, ["access_token": token])
    #expect(refused.status == .forbidden && refused.weiboCode == 10023)
    walk.now = WeiboWalk.start + .seconds(86_399)
    #expect(walk.get(.homeTimeline, ["access_token": token]).weiboCode == 10023)
    walk.now = WeiboWalk.start + .seconds(86_400)
    #expect(walk.get(.homeTimeline, ["access_token": token]).status == .ok, "a new day in China")
  }

  @Test("how things stand is told in Chinese time, and asking costs nothing")
  func standing() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    walk.now = WeiboWalk.start + .seconds(3600)
    _ = walk.get(.homeTimeline, ["access_token": token])
    for _ in 0..<3 {
      let standing = try WeiboOnTheWire(walk.get(.rateLimitStatus, ["access_token": token]))
      #expect(standing["remaining_user_hits"] == "99" && standing["user_limit"] == "100")
      #expect(standing["reset_time"] == "2026-11-22 00:00:00" && standing["reset_time_in_seconds"] == "82800")
      #expect(standing["ip_limit"] == "15000" && standing["limit_time_unit"] == "HOURS")
    }
  }

  @Test("what was asked for today is still known after a restart")
  func ledger() throws {
    var walk = WeiboWalk()
    var token = try walk.login()
    for _ in 0..<60 { _ = walk.get(.homeTimeline, ["access_token": token, "count": "1"]) }
    #expect(walk.weibo.ledger.used == 60)
    walk.weibo = WeiboSandbox(redirects: [WeiboWalk.callback], ledger: walk.weibo.ledger)
    token = try walk.login()
    let standing = try WeiboOnTheWire(walk.get(.rateLimitStatus, ["access_token": token]))
    #expect(standing["remaining_user_hits"] == "40")
  }

  @Test(
    "a dead token is told under whatever status, with the number as a number or as a string, with the request or without",
    arguments: [400, 401, 403])
  func deadToken(status: Int) throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    _ = try walk.page(token)
    walk.weibo.quirks.tokenStatus = status
    walk.weibo.revokeAll()
    var refused = walk.get(.homeTimeline, ["access_token": token])
    #expect(refused.status.code == status && refused.weiboCode == 21316)
    var body = try WeiboOnTheWire(refused)
    #expect(body["request"] == "/2/statuses/home_timeline.json" && !body.strings.contains("error_code"))
    walk.weibo.quirks.writesCodesAsText = true
    walk.weibo.quirks.namesRequests = false
    refused = walk.get(.homeTimeline, ["access_token": token])
    body = try WeiboOnTheWire(refused)
    #expect(body["request"] == nil && body.strings.contains("error_code") && refused.weiboCode == 21316)
  }

  @Test("an application may be closed out of the home timeline alone")
  func closed() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    walk.weibo.quirks.closesHomeTimeline = true
    let refused = walk.get(.homeTimeline, ["access_token": token])
    #expect(refused.status == .forbidden && refused.weiboCode == 10014)
    #expect(walk.get(.usersShow, ["access_token": token, "screen_name": "lin_tea"]).status == .ok)
  }

  @Test("a banned client gets nothing, with a status of success, while OAuth goes on")
  func banned() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    walk.weibo.quirks.isBanned = true
    let answer = walk.get(.homeTimeline, ["access_token": token])
    #expect(answer.status == .ok && answer.body.isEmpty)
    #expect(try WeiboOnTheWire(walk.post(.tokenInfo, ["access_token": token]))["uid"] == SandboxProvider.userID)
  }

  @Test("faults come in their turn, path by path, and then all is well again")
  func faults() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    let path = WeiboRoute.homeTimeline.path
    walk.weibo.faults.add(.weiboBadGateway, to: path)
    walk.weibo.faults.add(.weiboNothing, to: path)
    walk.weibo.faults.add(.weiboPageInGBK, to: path)
    walk.weibo.faults.add(.weibo(403, code: 10022, "IP requests out of rate limit!", at: .homeTimeline), to: path)
    let shown = walk.get(.usersShow, ["access_token": token, "screen_name": "lin_tea"])
    let answers = (0..<5).map { _ in walk.get(.homeTimeline, ["access_token": token]) }
    #expect(shown.status == .ok && answers.map(\.status.code) == [502, 200, 500, 403, 200])
    #expect(answers[0].body == Array("502 Bad Gateway".utf8) && answers[1].body.isEmpty)
    #expect(String(validating: answers[2].body, as: UTF8.self) == nil, "it is not UTF-8")
    #expect(answers[3].weiboCode == 10022)
    #expect(walk.weibo.ledger.used == 2, "what is answered elsewhere is not counted")
  }

  @Test("another address is refused, and so is another method")
  func strangers() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    let target = RequestTarget("/2/statuses/public_timeline.json")!
    #expect(walk.send(Request(method: .get, target: target)).weiboCode == 10020)
    #expect(walk.post(.homeTimeline, ["access_token": token]).weiboCode == 10021)
  }

  @Test("the date is the provider's own")
  func date() throws {
    var walk = WeiboWalk()
    walk.weibo.clockOffset = .seconds(-90)
    #expect(walk.get(.defaultPage).headers.first("Date") == (walk.now - .seconds(90)).imfFixdate)
  }
}
