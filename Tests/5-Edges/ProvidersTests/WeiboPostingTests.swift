import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import Testing
import Timeline

@testable import Providers

/// The requests and responses for posting on Weibo.
@Suite struct WeiboPostingTests {
  private func provider(domain: String? = nil, address: String? = nil) throws -> Weibo {
    var place = ProviderLocation(.oauth2)
    place.safeDomain = domain
    place.userAddress = address
    return try #require(try Weibo(at: place))
  }

  private static let author = User(id: "1000000002", screenName: "朋友甲", name: "朋友甲")

  private func result(_ status: Int, _ body: String) throws -> AttemptResult {
    try provider().posted(
      from: Samples.respond(body, status: status), PostDraft(text: "测试 一条微博 & 表情[哈哈]😀"),
      in: PostingContext(author: Self.author, sentAt: Samples.now)
    ).result
  }

  @Test("the form for a new post contains the text, and the user's address only if it is configured")
  func request() throws {
    let key = IdempotencyKey(stored: "k")!
    let plain = try provider().postingRequest(PostDraft(text: "a&b"), media: [], replyTo: nil, key: key)
    #expect(plain.url == "https://api.weibo.com/2/statuses/share.json" && plain.method == .post)
    #expect(
      plain.parameters == [Parameter("status", "a&b")]
        && plain.headers == [.contentType: "application/x-www-form-urlencoded"])
    let known = try provider(address: "203.0.113.7").postingRequest(
      PostDraft(text: "a"), media: [], replyTo: nil, key: key)
    #expect(known.parameters == [Parameter("status", "a"), Parameter("rip", "203.0.113.7")])
  }

  @Test("a picture is sent in the same request, as a multipart form with the same fields")
  func picture() throws {
    let picture = PostMedia(path: "/a", fingerprint: "", size: 10, type: "image/gif", description: nil)
    let draft = PostDraft(text: "a", media: [picture])
    let request = try provider(address: "203.0.113.7").postingRequest(
      draft, media: [], replyTo: nil, key: IdempotencyKey(stored: "k")!)
    #expect(request.url == "https://api.weibo.com/2/statuses/share.json" && request.parameters == [])
    #expect(request.fileForm?.outline == "status=a, rip=203.0.113.7, pic 0..<10 image/gif")
    #expect(try provider().mediaRequest(for: picture, after: .missing, MediaRules()) == nil)
  }

  @Test("multiple pictures, videos, large pictures and descriptions are refused with the reason")
  func media() throws {
    let rules = try provider().postingRules(from: nil)
    func objection(_ types: [String], size: Int = 10, description: String? = nil) -> String? {
      let media = types.map {
        PostMedia(path: "/a", fingerprint: "", size: size, type: $0, description: description)
      }
      return rules.objection(to: PostDraft(text: "一 https://a.example/", media: media))
    }
    #expect(objection(["image/jpeg"], size: 4_999_999) == nil)
    #expect(objection(["image/png", "image/png"]) == "Weibo allows 1 file in a post, not 2")
    #expect(objection(["video/mp4"]) == "/a: Weibo does not accept video/mp4")
    #expect(objection(["image/webp"]) == "/a: Weibo does not accept image/webp")
    #expect(objection(["image/jpeg"], size: 5_000_000)?.contains("at most 4999999 bytes") == true)
    #expect(objection(["image/gif"], description: "d") == "Weibo does not support descriptions of files; omit --alt")
  }

  @Test("text of more than 140 characters is refused with its length, counting two ASCII characters as one")
  func length() throws {
    let rules = try provider().postingRules(from: nil)
    // The link has 16 characters.
    let link = " http://a.example"
    #expect(rules.objection(to: PostDraft(text: String(repeating: "字", count: 131) + link)) == nil)
    #expect(
      rules.objection(to: PostDraft(text: String(repeating: "字", count: 132) + link))
        == "The text has 141 of 140 characters; shorten it by 1.")
  }

  @Test(
    "a post must contain a link, and the link must lead to the safe domain if one is configured",
    arguments: [
      ("你好", nil, true), ("你好 http://a.example/1", nil, false), ("看http://app.example.com/x", "example.com", false),
      ("see example.com/x", "example.com", true), ("http://notexample.com/", "example.com", true),
      ("http://example.com.evil.org/", "example.com", true), ("#topic# http://example.com/", "example.com", true),
      ("no #1 and http://example.com/#a", "example.com", false), ("http://a.example/#b#c", nil, false),
    ] as [(String, String?, Bool)])
  func links(text: String, domain: String?, isRefused: Bool) throws {
    #expect((try provider(domain: domain).objection(to: PostDraft(text: text)) != nil) == isRefused)
  }

  @Test("replies and all actions on Weibo posts are refused with the reason")
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

  @Test(
    "an error response with any status means that the post is refused, unless it may have been published")
  func outcomes() throws {
    func error(_ code: Int) -> String { #"{"error":"e","error_code":\#(code),"request":"/2/statuses/share.json"}"# }
    for status in [200, 400, 403] {
      guard case .withoutLogin = try result(status, error(21327)) else {
        Issue.record("an expired token is not recognised")
        return
      }
      for code in [10014, 10017, 20012, 20017, 20019] {
        guard case .refused = try result(status, error(code)) else {
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
      case .postponed = try result(404, "")
    else {
      Issue.record("a response is classified incorrectly")
      return
    }
    #expect(post.id == "5230000000000200" && post.text == "测试 一条微博 & 表情[哈哈]😀")
  }

  @Test("a post that Weibo names is requested by its id, because applications may read single posts by the user")
  func named() throws {
    let request = try #require(try provider().namedPostRequest(id: "5230000000000200"))
    #expect(request.url == "https://api.weibo.com/2/statuses/show.json?id=5230000000000200")
    #expect(try provider().namedPostRequest(id: "../1") == nil)
    let post = try #require(try provider().namedPost(from: Samples.respond(WeiboSamples.whole)))
    #expect(post.id == "5230000000000200" && post.authorID == Self.author.id)
    for body in [#"{"error_code":20101,"error":"target weibo does not exist!"}"#, "{}", #"{"id":5}"#, ""] {
      #expect(try provider().namedPost(from: Samples.respond(body)) == nil)
    }
  }

  @Test("the user's posts are not requested, so the outcome of a post remains unknown after a lost response")
  func noLookUp() throws { #expect(try provider().ownPostsRequest(userID: "1", after: nil) == nil) }
}
