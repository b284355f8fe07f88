import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("OAuth 2.0 on the simulated Weibo")
struct WeiboLoginTests {
  @Test("Weibo exchanges a code for a token, which it sends as text/plain")
  func login() throws {
    var client = WeiboTestClient()
    let page = client.get(.authorize, WeiboTestClient.question)
    #expect(page.status == .ok && page.text.contains("id=\"allow\"") && page.text.contains("email"))
    let brought = try client.decide("allow")
    #expect(brought.count == 2 && brought["state"] == "s t&a=1")
    let response = client.exchange(brought["code"])
    #expect(response.status == .ok && response.headers.first(.contentType) == "text/plain;charset=UTF-8")
    let token = try ReceivedTable(response)
    #expect(token["expires_in"] == "2592000" && !token.strings.contains("expires_in"))
    #expect(token["remind_in"] == "2592000" && token.strings.contains("remind_in"))
    #expect(token["uid"] == SandboxUser.id && token.strings.contains("uid"))
    #expect(token["refresh_token"] == nil && token["token_type"] == nil)
  }

  @Test("Weibo's token responses can have any content type", arguments: WeiboQuirks.TokenType.allCases)
  func types(type: WeiboQuirks.TokenType) throws {
    var client = WeiboTestClient()
    client.weibo.quirks.tokenType = type
    let response = client.exchange(try client.decide("allow")["code"])
    #expect(response.headers.first(.contentType) == type.rawValue)
    #expect(try ReceivedTable(response)["access_token"] != nil)
  }

  @Test("A token's lifetime can be a string, and the user's id can be a number or missing")
  func members() throws {
    var client = WeiboTestClient()
    client.weibo.tokens.server.policy.writesExpiryAsText = true
    client.weibo.quirks.userID = .number
    var token = try ReceivedTable(client.exchange(try client.decide("allow")["code"]))
    #expect(token.strings.contains("expires_in"))
    #expect(token["uid"] == SandboxUser.id && !token.strings.contains("uid"))
    client.weibo.quirks.userID = .missing
    token = try ReceivedTable(client.exchange(try client.decide("allow")["code"]))
    #expect(token["uid"] == nil && token["access_token"] != nil)
  }

  @Test("A denial on Weibo has Weibo's error code in addition to the standard error")
  func denial() throws {
    var client = WeiboTestClient()
    let brought = try client.decide("deny")
    #expect(brought["error"] == "access_denied" && brought["error_code"] == "21330")
    #expect(brought["state"] == "s t&a=1" && brought["error_uri"] == "/oauth2/authorize" && brought["code"] == nil)
  }

  @Test(
    "For an unregistered callback, Weibo shows the user an error and does not redirect", arguments: ["1", "/", "?a=1"])
  func redirectMismatch(more: String) throws {
    var client = WeiboTestClient()
    let question = WeiboTestClient.question.merging(["redirect_uri": WeiboTestClient.callback + more]) { $1 }
    let page = client.get(.authorize, question)
    #expect(page.status == .badRequest && page.headers.first("Location") == nil)
  }

  @Test("Weibo's default page is registered with any port, and its address contains the code after a login")
  func defaultPage() throws {
    var client = WeiboTestClient()
    let address = "http://127.0.0.1:4000/oauth2/default.html"
    let question = WeiboTestClient.question.merging(["redirect_uri": address]) { $1 }
    #expect(client.get(.authorize, question).status == .ok)
    let code = try client.decide("allow", question)["code"]
    let page = client.get(.defaultPage, ["code": code ?? ""])
    #expect(page.status == .ok && page.text.contains("address"))
    #expect(client.exchange(code, ["redirect_uri": address]).status == .ok)
    let other = question.merging(["redirect_uri": "http://127.0.0.1:4001/oauth2/default.html"]) { $1 }
    #expect(client.get(.authorize, other).status == .badRequest)
  }

  @Test("Scopes are separated by commas in requests to Weibo")
  func scopes() throws {
    var client = WeiboTestClient()
    let question = WeiboTestClient.question.merging(["scope": "email follow_app_official_microblog"]) { $1 }
    #expect(try client.decide("allow", question)["error"] == "invalid_scope")
  }

  static let refusals: [([String: String], Int, Int)] = [
    (["client_secret": "wrong"], 21324, 401), (["client_id": "1"], 21324, 401),
    (["code": "wrong"], 21325, 400), (["redirect_uri": "http://127.0.0.1:1/callback"], 21322, 400),
    (["grant_type": "password"], 21328, 400), (["grant_type": ""], 21323, 400),
  ]

  @Test("Each kind of invalid token request has its own Weibo error code", arguments: refusals)
  func refused(changes: [String: String], code: Int, status: Int) throws {
    var client = WeiboTestClient()
    let response = client.exchange(try client.decide("allow")["code"], changes)
    #expect(response.weiboCode == code && response.status.code == status)
    let body = try ReceivedTable(response)
    #expect(body["request"] == "/oauth2/access_token" && body["error_uri"] == "/oauth2/access_token")
    #expect(body["error_description"] != nil)
  }

  @Test("A Weibo code works only once, and expires")
  func codes() throws {
    var client = WeiboTestClient()
    let code = try client.decide("allow")["code"]
    #expect(client.exchange(code).status == .ok)
    #expect(client.exchange(code).weiboCode == 21325)
    let late = try client.decide("allow")["code"]
    client.now = client.now + .seconds(61)
    #expect(client.exchange(late).weiboCode == 21325)
  }

  @Test("get_token_info returns the token's user in response to POST, with a negative lifetime for an expired token")
  func tokenInfo() throws {
    var client = WeiboTestClient()
    let token = try client.login()
    client.now = client.now + .seconds(100)
    let info = try ReceivedTable(client.post(.tokenInfo, ["access_token": token]))
    #expect(info["uid"] == SandboxUser.id && info["appkey"] == WeiboSandbox.clientID)
    #expect(info["scope"] == "email,follow_app_official_microblog")
    #expect(info["create_at"] == "\(WeiboTestClient.start.seconds)" && info["expire_in"] == "2591900")
    #expect(info["expires_in"] == nil)
    client.now = client.now + WeiboSandbox.tokenLife
    #expect(try ReceivedTable(client.post(.tokenInfo, ["access_token": token]))["expire_in"] == "-100")
    #expect(client.get(.usersShow, ["access_token": token, "uid": "1"]).weiboCode == 21327)
    #expect(client.get(.tokenInfo, ["access_token": token]).weiboCode == 10021)
    #expect(client.post(.tokenInfo, ["access_token": "x"]).weiboCode == 21332)
    #expect(client.post(.tokenInfo, [:]).weiboCode == 10006)
  }

  @Test("Weibo refuses a revoked token", arguments: [false, true])
  func revocation(asFlag: Bool) throws {
    var client = WeiboTestClient()
    client.weibo.quirks.writesResultAsFlag = asFlag
    let token = try client.login()
    let response = try ReceivedTable(client.post(.revocation, ["access_token": token]))
    #expect(response["result"] == "true" && response.strings.contains("result") != asFlag)
    #expect(client.get(.homeTimeline, ["access_token": token]).weiboCode == 21316)
    #expect(client.get(.revocation, ["access_token": token]).weiboCode == 21316)
  }

  @Test(
    "A user with a valid token gets a new one without a prompt; the policy decides whether the old token stays valid"
  )
  func flashThrough() throws {
    var client = WeiboTestClient()
    client.weibo.quirks.skipsConsent = true
    #expect(client.get(.authorize, WeiboTestClient.question).status == .ok, "the user has not approved yet")
    let first = try client.login()
    let forced = WeiboTestClient.question.merging(["forcelogin": "true"]) { $1 }
    #expect(client.get(.authorize, forced).status == .ok)
    let second = try ReceivedTable(
      client.exchange(try WeiboTestClient.returned(by: client.get(.authorize, WeiboTestClient.question))["code"]))[
        "access_token"]
    #expect(second != nil && second != first)
    #expect(client.get(.homeTimeline, ["access_token": first]).status == .ok)
    client.weibo.tokens.server.policy.loginRevokesEarlier = true
    let third = try ReceivedTable(
      client.exchange(try WeiboTestClient.returned(by: client.get(.authorize, WeiboTestClient.question))["code"]))[
        "access_token"]
    #expect(client.get(.homeTimeline, ["access_token": second ?? ""]).weiboCode == 21316)
    #expect(client.get(.homeTimeline, ["access_token": third ?? ""]).status == .ok)
    client.weibo.tokens.server.tokens.revokeAll(of: nil)
    #expect(client.get(.authorize, WeiboTestClient.question).status == .ok, "a user without a valid token is asked")
  }

  @Test("A Weibo token is accepted in Weibo's own header, but not as a bearer token")
  func places() throws {
    var client = WeiboTestClient()
    let token = try client.login()
    func request(_ scheme: String) -> HTTP.Request {
      Request(
        method: .get, target: RequestTarget("/2/statuses/home_timeline.json")!,
        headers: [.host: "127.0.0.1:4000", "Authorization": FieldValue("\(scheme) \(token)")!])
    }
    #expect(client.send(request("OAuth2")).status == .ok)
    #expect(client.send(request("Bearer")).weiboCode == 10006)
  }
}
