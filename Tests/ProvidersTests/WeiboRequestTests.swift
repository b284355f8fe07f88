import CivilTime
import HomelineOAuth
import Providers
import Testing
import Timeline

@Suite struct WeiboRequestTests {
  private let weibo = WeiboSamples.weibo

  private func query(_ request: ProviderRequest) throws -> [String: String] {
    let parameters = try FormEncoding.decode(request.url.query ?? "")
    return Dictionary(uniqueKeysWithValues: parameters.map { ($0.nameText ?? "", $0.valueText ?? "") })
  }

  @Test("it is asked at its own server, or below another address")
  func addresses() throws {
    #expect(weibo.addresses.authorize.text == "https://api.weibo.com/oauth2/authorize")
    #expect(weibo.addresses.token.text == "https://api.weibo.com/oauth2/access_token")
    let moved = try WeiboAddresses(at: RequestURL("http://127.0.0.1:4321/there/"))
    #expect(moved.homeTimeline.text == "http://127.0.0.1:4321/there/2/statuses/home_timeline.json")
  }

  @Test("whose token it is, is asked in two steps: the token's owner by POST, then who that is")
  func owner() throws {
    let first = weibo.tokenInfoRequest()
    #expect(first.method == "POST" && first.url.text == "https://api.weibo.com/oauth2/get_token_info")
    let second = weibo.showRequest(uid: "1000000001")
    #expect(second.method == "GET" && second.url.path == "/2/users/show.json")
    #expect(try query(second) == ["uid": "1000000001"])
  }

  @Test("the newest posts are asked for without bounds, no more than a page of them")
  func newest() throws {
    let request = weibo.pageRequest(for: TimelineQuery(count: 500))
    #expect(request.method == "GET" && request.url.path == "/2/statuses/home_timeline.json")
    #expect(try query(request) == ["count": "100"])
    #expect(try query(weibo.pageRequest(for: TimelineQuery(count: 0))) == ["count": "1"])
  }

  @Test("the post that is known is asked for too, so that the answer can show that nothing is missing")
  func since() throws {
    let large = TimelineQuery(
      older: PageCursor("9223372036854775999"), since: Samples.mark("9007199254740993"), count: 20)
    #expect(
      try query(weibo.pageRequest(for: large)) == [
        "count": "20", "since_id": "9007199254740992", "max_id": "9223372036854775999",
      ])
  }

  @Test("a token is given back by POST, and by what Weibo answers it is known whether it was")
  func revocation() {
    #expect(weibo.revocationRequest()?.method == "POST")
    #expect(weibo.revocationRequest()?.url.path == "/oauth2/revokeoauth2")
    for done in [#"{"result":"true"}"#, #"{"result":true}"#] { #expect(weibo.judge(Samples.answer(done)) == nil) }
    for undone in [#"{"result":"false"}"#, #"{"result":false}"#] {
      guard case .refused? = weibo.judge(Samples.answer(undone)) else {
        Issue.record("\(undone) is taken for done")
        continue
      }
    }
  }

  @Test("it is asked no more often than its day allows")
  func pace() {
    let traits = weibo.traits
    #expect(traits.requestsPerDay == 100 && traits.pageSize == 100 && traits.reach == 150)
    #expect(traits.refreshInterval * 100 >= .seconds(86_400))
  }
}
