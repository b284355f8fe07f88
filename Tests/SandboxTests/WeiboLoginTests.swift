import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's Weibo: OAuth 2.0")
struct WeiboLoginTests {
  @Test("the user agrees, and the code becomes a token, in an answer that says to be plain text")
  func login() throws {
    var walk = WeiboWalk()
    let page = walk.get(.authorize, WeiboWalk.question)
    #expect(page.status == .ok && page.text.contains("id=\"allow\"") && page.text.contains("email"))
    let brought = try walk.say("allow")
    #expect(brought.count == 2 && brought["state"] == "s t&a=1")
    let response = walk.exchange(brought["code"])
    #expect(response.status == .ok && response.headers.first(.contentType) == "text/plain;charset=UTF-8")
    let token = try WeiboOnTheWire(response)
    #expect(token["expires_in"] == "2592000" && !token.strings.contains("expires_in"))
    #expect(token["remind_in"] == "2592000" && token.strings.contains("remind_in"))
    #expect(token["uid"] == SandboxProvider.userID && token.strings.contains("uid"))
    #expect(token["refresh_token"] == nil && token["token_type"] == nil)
  }

  @Test("a token's answer comes under each type", arguments: WeiboQuirks.TokenType.allCases)
  func types(type: WeiboQuirks.TokenType) throws {
    var walk = WeiboWalk()
    walk.weibo.quirks.tokenType = type
    let response = walk.exchange(try walk.say("allow")["code"])
    #expect(response.headers.first(.contentType) == type.rawValue)
    #expect(try WeiboOnTheWire(response)["access_token"] != nil)
  }

  @Test("the life may be a string, and the user's id a number or missing")
  func members() throws {
    var walk = WeiboWalk()
    walk.weibo.policy.writesExpiryAsText = true
    walk.weibo.quirks.userID = .number
    var token = try WeiboOnTheWire(walk.exchange(try walk.say("allow")["code"]))
    #expect(token.strings.contains("expires_in"))
    #expect(token["uid"] == SandboxProvider.userID && !token.strings.contains("uid"))
    walk.weibo.quirks.userID = .missing
    token = try WeiboOnTheWire(walk.exchange(try walk.say("allow")["code"]))
    #expect(token["uid"] == nil && token["access_token"] != nil)
  }

  @Test("a user who refuses is told with Weibo's number beside the standard's word")
  func denial() throws {
    var walk = WeiboWalk()
    let brought = try walk.say("deny")
    #expect(brought["error"] == "access_denied" && brought["error_code"] == "21330")
    #expect(brought["state"] == "s t&a=1" && brought["error_uri"] == "/oauth2/authorize" && brought["code"] == nil)
  }

  @Test(
    "another callback address than the registered one is told to nobody but the user", arguments: ["1", "/", "?a=1"])
  func redirectMismatch(more: String) throws {
    var walk = WeiboWalk()
    let question = WeiboWalk.question.merging(["redirect_uri": WeiboWalk.callback + more]) { $1 }
    let page = walk.get(.authorize, question)
    #expect(page.status == .badRequest && page.headers.first("Location") == nil)
  }

  @Test("the page for pasting is a callback address on whatever port, and has the code in its address")
  func defaultPage() throws {
    var walk = WeiboWalk()
    let address = "http://127.0.0.1:4000/oauth2/default.html"
    let question = WeiboWalk.question.merging(["redirect_uri": address]) { $1 }
    #expect(walk.get(.authorize, question).status == .ok)
    let code = try walk.say("allow", question)["code"]
    let page = walk.get(.defaultPage, ["code": code ?? ""])
    #expect(page.status == .ok && page.text.contains("address"))
    #expect(walk.exchange(code, ["redirect_uri": address]).status == .ok)
    let other = question.merging(["redirect_uri": "http://127.0.0.1:4001/oauth2/default.html"]) { $1 }
    #expect(walk.get(.authorize, other).status == .badRequest)
  }

  @Test("scopes stand between commas")
  func scopes() throws {
    var walk = WeiboWalk()
    let question = WeiboWalk.question.merging(["scope": "email follow_app_official_microblog"]) { $1 }
    #expect(try walk.say("allow", question)["error"] == "invalid_scope")
  }

  static let refusals: [([String: String], Int, Int)] = [
    (["client_secret": "wrong"], 21324, 401), (["client_id": "1"], 21324, 401),
    (["code": "wrong"], 21325, 400), (["redirect_uri": "http://127.0.0.1:1/callback"], 21322, 400),
    (["grant_type": "password"], 21328, 400), (["grant_type": ""], 21323, 400),
  ]

  @Test("what is wrong with a token request is told by number", arguments: refusals)
  func refused(changes: [String: String], code: Int, status: Int) throws {
    var walk = WeiboWalk()
    let response = walk.exchange(try walk.say("allow")["code"], changes)
    #expect(response.weiboCode == code && response.status.code == status)
    let body = try WeiboOnTheWire(response)
    #expect(body["request"] == "/oauth2/access_token" && body["error_uri"] == "/oauth2/access_token")
    #expect(body["error_description"] != nil)
  }

  @Test("a code is good once, and not for long")
  func codes() throws {
    var walk = WeiboWalk()
    let code = try walk.say("allow")["code"]
    #expect(walk.exchange(code).status == .ok)
    #expect(walk.exchange(code).weiboCode == 21325)
    let late = try walk.say("allow")["code"]
    walk.now = walk.now + .seconds(61)
    #expect(walk.exchange(late).weiboCode == 21325)
  }

  @Test("whose token it is, is told by POST, and by less than nothing when it has expired")
  func tokenInfo() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    walk.now = walk.now + .seconds(100)
    let info = try WeiboOnTheWire(walk.post(.tokenInfo, ["access_token": token]))
    #expect(info["uid"] == SandboxProvider.userID && info["appkey"] == WeiboSandbox.clientID)
    #expect(info["scope"] == "email,follow_app_official_microblog")
    #expect(info["create_at"] == "\(WeiboWalk.start.seconds)" && info["expire_in"] == "2591900")
    #expect(info["expires_in"] == nil)
    walk.now = walk.now + WeiboSandbox.tokenLife
    #expect(try WeiboOnTheWire(walk.post(.tokenInfo, ["access_token": token]))["expire_in"] == "-100")
    #expect(walk.get(.usersShow, ["access_token": token, "uid": "1"]).weiboCode == 21327)
    #expect(walk.get(.tokenInfo, ["access_token": token]).weiboCode == 10021)
    #expect(walk.post(.tokenInfo, ["access_token": "x"]).weiboCode == 21332)
    #expect(walk.post(.tokenInfo, [:]).weiboCode == 10006)
  }

  @Test("a token that is given back opens nothing any more", arguments: [false, true])
  func revocation(asFlag: Bool) throws {
    var walk = WeiboWalk()
    walk.weibo.quirks.writesResultAsFlag = asFlag
    let token = try walk.login()
    let answer = try WeiboOnTheWire(walk.post(.revocation, ["access_token": token]))
    #expect(answer["result"] == "true" && answer.strings.contains("result") != asFlag)
    #expect(walk.get(.homeTimeline, ["access_token": token]).weiboCode == 21316)
    #expect(walk.get(.revocation, ["access_token": token]).weiboCode == 21316)
  }

  @Test("who still holds a token is not asked again, and gets another one; the first stays good or dies")
  func flashThrough() throws {
    var walk = WeiboWalk()
    walk.weibo.quirks.flashesThrough = true
    #expect(walk.get(.authorize, WeiboWalk.question).status == .ok, "nobody has agreed yet")
    let first = try walk.login()
    let forced = WeiboWalk.question.merging(["forcelogin": "true"]) { $1 }
    #expect(walk.get(.authorize, forced).status == .ok)
    let second = try WeiboOnTheWire(
      walk.exchange(try WeiboWalk.brought(by: walk.get(.authorize, WeiboWalk.question))["code"]))["access_token"]
    #expect(second != nil && second != first)
    #expect(walk.get(.homeTimeline, ["access_token": first]).status == .ok)
    walk.weibo.policy.loginKillsFormer = true
    let third = try WeiboOnTheWire(
      walk.exchange(try WeiboWalk.brought(by: walk.get(.authorize, WeiboWalk.question))["code"]))["access_token"]
    #expect(walk.get(.homeTimeline, ["access_token": second ?? ""]).weiboCode == 21316)
    #expect(walk.get(.homeTimeline, ["access_token": third ?? ""]).status == .ok)
    walk.weibo.revokeAll()
    #expect(walk.get(.authorize, WeiboWalk.question).status == .ok, "without a good token the user is asked")
  }

  @Test("a token is taken from the query, the form and Weibo's own header, and not as a bearer token")
  func places() throws {
    var walk = WeiboWalk()
    let token = try walk.login()
    func request(_ scheme: String) -> HTTP.Request {
      Request(
        method: .get, target: RequestTarget("/2/statuses/home_timeline.json")!,
        headers: [.host: "127.0.0.1:4000", "Authorization": FieldValue("\(scheme) \(token)")!])
    }
    #expect(walk.send(request("OAuth2")).status == .ok)
    #expect(walk.send(request("Bearer")).weiboCode == 10006)
  }
}
