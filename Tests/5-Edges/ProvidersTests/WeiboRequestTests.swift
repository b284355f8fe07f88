import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Testing
import Time
import Timeline

@testable import Providers

@Suite struct WeiboRequestTests {
  private let weibo = WeiboSamples.weibo

  private func query(_ request: ClientRequest) throws -> [String: String] {
    let parameters = try FormEncoding.decode(request.address.query ?? "")
    return Dictionary(uniqueKeysWithValues: parameters.map { ($0.nameText ?? "", $0.valueText ?? "") })
  }

  private func profile(_ weibo: Weibo) throws -> OAuth2Profile {
    guard case .oauth2(let profile) = weibo.authorization else { throw Samples.NotAPage() }
    return profile
  }

  @Test("the provider `weibo` is registered, supports only OAuth 2.0 and has its own server")
  func registry() throws {
    #expect(try ProviderRegistry.named("weibo", at: ProviderLocation(.oauth2))?.name == "weibo")
    #expect(try ProviderRegistry.named("weibo", at: ProviderLocation(.oauth1)) == nil)
    #expect(weibo.server == "https://api.weibo.com" && weibo.host == "https://api.weibo.com")
  }

  @Test("Weibo's OAuth 2.0 profile separates scopes with commas, does not use PKCE, and sends the token as a parameter")
  func profile() throws {
    let profile = try profile(weibo)
    #expect(profile.endpoints?.authorize?.text == "https://api.weibo.com/oauth2/authorize")
    #expect(profile.endpoints?.token.text == "https://api.weibo.com/oauth2/access_token")
    #expect(profile.endpoints?.clientAuthentications == [.body] && profile.endpoints?.revocation == nil)
    #expect(profile.scopes == [] && profile.scopeSeparator == "," && !profile.usesPKCE)
    #expect(profile.tokenPlacement == .parameter("access_token"))
    let asked = try #require(try Weibo(at: ProviderLocation(.oauth2, scopes: ["email", "all"])))
    #expect(try self.profile(asked).scopes == ["email", "all"])
  }

  @Test("Weibo's base address and individual endpoints can be replaced")
  func places() throws {
    let base = try RequestURL("http://127.0.0.1:4321/there/")
    let moved = try #require(try Weibo(at: ProviderLocation(.oauth2, at: base)))
    #expect(moved.host == "http://127.0.0.1:4321" && moved.server == moved.host)
    #expect(moved.userRequest()?.url == "http://127.0.0.1:4321/there/oauth2/get_token_info")
    #expect(moved.revocationRequest()?.url == "http://127.0.0.1:4321/there/oauth2/revokeoauth2")
    let single = try RequestURL("https://weibo.example/x")
    let endpoints: [EndpointName: RequestURL] = [.homeTimeline: single, .tokenInfo: single]
    let mixed = try #require(try Weibo(at: ProviderLocation(.oauth2, endpoints: endpoints)))
    #expect(mixed.pageRequest(for: TimelineQuery(count: 5)).url == "https://weibo.example/x?count=5")
    #expect(mixed.userRequest()?.address == single && mixed.server == "https://api.weibo.com")
  }

  @Test("a token from another server is revoked at that server or not at all")
  func movedToken() throws {
    let elsewhere = try RequestURL("https://weibo.example/token")
    #expect(try Weibo(at: ProviderLocation(.oauth2, endpoints: [.token: elsewhere]))?.revocationRequest() == nil)
    let both = try Weibo(at: ProviderLocation(.oauth2, endpoints: [.token: elsewhere, .revoke: elsewhere]))
    #expect(both?.revocationRequest()?.address == elsewhere)
  }

  @Test("one request looks up the id of the token's user, and another request the user's profile")
  func owner() throws {
    let first = try #require(weibo.userRequest())
    #expect(first.method == .post && first.url == "https://api.weibo.com/oauth2/get_token_info")
    let step = try weibo.userStep(after: Samples.respond(#"{"uid":1000000001,"scope":null,"expire_in":60}"#))
    guard case .ask(let second) = step else { throw Samples.NotAPage() }
    #expect(second.method == .get && second.address.path == "/2/users/show.json")
    #expect(try query(second) == ["uid": "1000000001"])
  }

  @Test("the newest posts are requested without bounds, and at most one page at a time")
  func newest() throws {
    let request = weibo.pageRequest(for: TimelineQuery(count: 500))
    #expect(request.method == .get && request.address.path == "/2/statuses/home_timeline.json")
    #expect(try query(request) == ["count": "100"])
    #expect(try query(weibo.pageRequest(for: TimelineQuery(count: 0))) == ["count": "1"])
  }

  @Test("a request for new posts includes the newest known post, to prove that nothing is missing")
  func since() throws {
    let large = TimelineQuery(
      older: PageCursor("9223372036854775999"), since: Samples.mark("9007199254740993"), count: 20)
    #expect(
      try query(weibo.pageRequest(for: large)) == [
        "count": "20", "since_id": "9007199254740992", "max_id": "9223372036854775999",
      ])
  }

  @Test("a token is revoked by POST, and the response shows whether the revocation succeeded")
  func revocation() {
    #expect(weibo.revocationRequest()?.method == .post)
    #expect(weibo.revocationRequest()?.address.path == "/oauth2/revokeoauth2")
    for done in [#"{"result":"true"}"#, #"{"result":true}"#] { #expect(weibo.classify(Samples.respond(done)) == nil) }
    for undone in [#"{"result":"false"}"#, #"{"result":false}"#] {
      guard case .refused? = weibo.classify(Samples.respond(undone)) else {
        Issue.record("\(undone) counts as a success")
        continue
      }
    }
  }

  @Test("Weibo's traits include its daily limit")
  func pace() {
    #expect(weibo.traits.requestsPerDay == 100)
    #expect(weibo.traits(of: .home) == TimelineTraits(pageSize: 100, reach: 150, overlap: .seconds(60)))
  }
}
