import Bytes
import HTTP
import HTTPClient
import Testing
import Timeline

@testable import HomelineOAuth
@testable import Providers

@Suite struct RequestTests {
  @Test("the first request asks for full text and for at most one page of posts")
  func firstPage() {
    let request = Samples.twitter.pageRequest(for: TimelineQuery(count: 1000))
    #expect(request.method == .get && request.parameters.isEmpty && request.headers.fields.isEmpty)
    #expect(
      request.url
        == "https://api.twitter.com/1.1/statuses/home_timeline.json?count=200&tweet_mode=extended&include_entities=true"
    )
  }

  @Test("positions, cursors and entity tags are sent unchanged")
  func boundedPage() {
    let query = TimelineQuery(
      older: PageCursor("18446744073709551616"), since: Samples.mark("9007199254740993"), count: 0, etag: "W/\"x\"")
    let request = Samples.twitter.pageRequest(for: query)
    #expect(
      request.address.query
        == "count=1&tweet_mode=extended&include_entities=true&since_id=9007199254740993&max_id=18446744073709551616")
    #expect(request.headers == ["If-None-Match": "W/\"x\""])
  }

  @Test("arbitrary post ids are percent-encoded in the query")
  func encodedIDs() throws {
    let query = TimelineQuery(older: PageCursor("a&b=c d/é"), count: 5)
    let request = Samples.twitter.pageRequest(for: query)
    #expect(request.address.query?.hasSuffix("&max_id=a%26b%3Dc%20d%2F%C3%A9") == true)
    #expect(try FormEncoding.decode(request.address.query ?? "").last == Parameter("max_id", "a&b=c d/é"))
  }

  @Test("the endpoint's own query precedes the added parameters")
  func endpointWithQuery() throws {
    let address = try RequestURL("http://127.0.0.1:8080/index.php?title=Special:OAuth/home")
    let provider = try #require(try Samples.named("twitter", overriding: [.homeTimeline: address]))
    let url = provider.pageRequest(for: TimelineQuery(count: 7)).url
    #expect(url.hasPrefix("http://127.0.0.1:8080/index.php?title=Special:OAuth/home&count=7&"))
  }

  @Test("the request for the user omits members that are not needed")
  func user() throws {
    let request = try #require(Samples.twitter.userRequest())
    #expect(
      request.url
        == "https://api.twitter.com/1.1/account/verify_credentials.json?include_entities=false&skip_status=true")
  }

  @Test("a token is revoked with a POST request if the provider supports revocation")
  func revocation() throws {
    let request = try #require(Samples.twitter.revocationRequest())
    #expect(request.method == .post && request.address.path == "/1.1/oauth/invalidate_token.json")
  }

  @Test("a token from another server is never sent to the provider's own server")
  func revocationElsewhere() throws {
    let elsewhere = try RequestURL("https://social.example/oauth/access_token")
    let provider = try #require(try Samples.named("twitter", overriding: [.accessToken: elsewhere]))
    #expect(provider.revocationRequest() == nil)
    let revoke = try RequestURL("https://social.example/revoke")
    let both = try Samples.named(
      "twitter", overriding: [.accessToken: elsewhere, .invalidateToken: revoke])
    #expect(both?.revocationRequest()?.address == revoke)
  }

  @Test(
    "a login's request is refused as a whole if HTTP does not allow its method or a header",
    arguments: [("GE T", "Basic a"), ("POST", "Basic a\r\nX-Other: b"), ("POST", "Basic a\n"), ("POST", "Basic a ")])
  func unsendable(method: String, authorization: String) {
    let request = OutgoingRequest(
      method: method, url: "https://as.example/token", authorization: Secret(authorization), contentType: nil, body: [])
    let error = #expect(throws: UnsendableRequestError.self) { try ClientRequest(request) }
    #expect(error?.description.contains("Basic") == false)
  }

  @Test("a parameter joins the form of a POST request, otherwise the query")
  func addedParameter() throws {
    let endpoint = try RequestURL("https://a.example/x?y=1")
    let added = Parameter("token", "a&b")
    let get = try ClientRequest.get(endpoint, query: []).adding(added)
    #expect(get.url == "https://a.example/x?y=1&token=a%26b" && get.text == "")
    for form in [[], [Parameter("status", "é")]] {
      let post = try ClientRequest.post(endpoint, form: form).adding(added)
      #expect(post.url == endpoint.text && post.parameters == form + [added])
      #expect(post.headers.first(.contentType) == "application/x-www-form-urlencoded")
    }
    let json = try ClientRequest.post(endpoint, json: Array("{}".utf8)).adding(added)
    #expect(json.url == "https://a.example/x?y=1&token=a%26b" && json.text == "{}")
    let upload = ClientRequest.upload(to: endpoint, FileForm(field: "pic", range: 0..<1, type: "image/png"))
    #expect(try upload.adding(added).fileForm?.outline == "token=a&b, pic 0..<1 image/png")
  }
}
