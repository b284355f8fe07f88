import HomelineOAuth
import Posting
@testable import Providers
import Testing

/// Posts on Weibo, as requests and responses.
@Suite struct WeiboPostingTests {
  private func provider(domain: String? = nil, address: String? = nil) throws -> Weibo {
    var place = ProviderLocation(.oauth2)
    place.safeDomain = domain
    place.userAddress = address
    return try #require(try Weibo(at: place))
  }

  private func result(_ status: Int, _ body: String) throws -> AttemptResult {
    try provider().posted(
      from: Samples.respond(body, status: status), PostDraft(text: "测试"), in: PostingContext(author: Samples.author)
    ).result
  }

  @Test("the form contains the text, and the user's address only if it is configured")
  func request() throws {
    let key = IdempotencyKey(stored: "k")
    let plain = try provider().postingRequest(PostDraft(text: "a&b"), media: [], replyTo: nil, key: key)
    #expect(plain.url.text == "https://api.weibo.com/2/statuses/share.json" && plain.method == "POST")
    #expect(plain.form == [Parameter("status", "a&b")] && plain.headers.isEmpty)
    let known = try provider(address: "203.0.113.7").postingRequest(
      PostDraft(text: "a"), media: [], replyTo: nil, key: key)
    #expect(known.form == [Parameter("status", "a"), Parameter("rip", "203.0.113.7")])
  }

  @Test(
    "a text needs a link, and to the safe domain if that is configured",
    arguments: [
      ("你好", nil, true), ("你好 http://a.example/1", nil, false), ("看http://app.example.com/x", "example.com", false),
      ("see example.com/x", "example.com", true), ("http://notexample.com/", "example.com", true),
      ("http://example.com.evil.org/", "example.com", true), ("#topic# http://example.com/", "example.com", true),
      ("no #1 and http://example.com/#a", "example.com", false), ("http://a.example/#b#c", nil, false),
    ] as [(String, String?, Bool)])
  func links(text: String, domain: String?, isRefused: Bool) throws {
    #expect((try provider(domain: domain).objection(to: PostDraft(text: text)) != nil) == isRefused)
  }

  @Test("replies and all actions are refused with the reason")
  func impossible() throws {
    let provider = try provider()
    let reply = PostDraft(text: "http://a.example/", replyTo: .post("5"))
    #expect(provider.objection(to: reply)?.contains("does not let applications reply") == true)
    for kind in PostAction.Kind.allCases {
      let action = try #require(PostAction(kind))
      #expect(provider.objection(to: action)?.contains("use weibo.com") == true)
      #expect(provider.actionRequest(action, on: "1", by: "2") == nil)
    }
  }

  @Test("an error in the response refuses the post, whatever its status, unless it may have been published")
  func outcomes() throws {
    func error(_ code: Int) -> String { #"{"error":"e","error_code":\#(code),"request":"/2/statuses/share.json"}"# }
    for status in [200, 400, 403] {
      for code in [10014, 10017, 20012, 20017, 20019, 21327] {
        guard case .rejected = try result(status, error(code)) else {
          Issue.record("\(status) \(code)")
          return
        }
      }
      guard case .postponed = try result(status, error(10024)), case .postponed = try result(status, error(20016)),
        case .unanswered = try result(status, error(10001)), case .unanswered = try result(status, error(10010))
      else {
        Issue.record("\(status)")
        return
      }
    }
    guard case .posted(let post) = try result(200, WeiboSamples.whole), case .unanswered = try result(200, ""),
      case .unanswered = try result(200, "<html></html>"), case .unanswered = try result(502, "bad gateway"),
      case .rejected = try result(404, "")
    else {
      Issue.record("a response is misread")
      return
    }
    #expect(post.id == "5230000000000200" && post.text == "测试 一条微博 & 表情[哈哈]😀")
  }

  @Test("the user's posts are not requested, so a lost response leaves the outcome unknown")
  func noLookUp() throws { #expect(try provider().ownPostsRequest(userID: "1", after: nil) == nil) }
}
