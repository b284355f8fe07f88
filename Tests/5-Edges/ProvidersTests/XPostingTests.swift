import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import Testing
import Time
import Timeline

@testable import Providers

/// The requests and responses for posting with X's v2 API.
@Suite struct XPostingTests {
  private let provider: X
  private let key = IdempotencyKey(stored: "k")!

  init() throws { provider = try #require(try X(at: ProviderLocation(.oauth2))) }

  private func result(
    _ status: Int, _ body: String, text: String = "hello", replyTo: String? = nil
  ) -> PostedResponse {
    provider.posted(
      from: Samples.respond(body, status: status), PostDraft(text: text, replyTo: replyTo.map { .post($0) }),
      in: PostingContext(author: Samples.author, replyTo: replyTo, knownBefore: [], sentAt: Samples.now))
  }

  @Test("a new post's body is JSON with only the text and the id of the replied-to post")
  func request() {
    let plain = provider.postingRequest(PostDraft(text: #"a "b""#), media: [], replyTo: nil, key: key)
    #expect(plain.url == "https://api.x.com/2/tweets" && plain.method == .post && plain.parameters.isEmpty)
    #expect(plain.text == #"{"text":"a \"b\""}"#)
    let reply = provider.postingRequest(PostDraft(text: "a"), media: [], replyTo: "5", key: key)
    #expect(
      reply.text
        == #"{"text":"a","reply":{"in_reply_to_tweet_id":"5"}}"#)
    #expect(plain.headers == [.contentType: "application/json"])
    let pictures = provider.postingRequest(PostDraft(text: ""), media: ["7", "8"], replyTo: nil, key: key)
    #expect(pictures.text == #"{"media":{"media_ids":["7","8"]}}"#)
  }

  @Test("the published post has its id, its text as written and its time; accompanying errors are ignored")
  func published() throws {
    let id = XSamples.id(10)
    let text = "see https://example.org/a?b=1&c=2"
    let body = #"{"data":{"id":"\#(id)","text":"see https://t.co/abc"},"errors":[{"title":"odd"}]}"#
    let response = result(201, body, text: text)
    guard case .posted(let post) = response.result else {
      Issue.record("\(response.result)")
      return
    }
    #expect(post.id == id && post.text == text && post.url == "https://x.com/mira_demo/status/\(id)")
    let entry = try #require(response.entry)
    #expect(entry.post.text == text && entry.post.author == Samples.author)
    #expect(entry.post.createdAt.seconds == Samples.now.seconds - 10)
  }

  @Test("mentions that X adds to a reply do not count as a difference; after other changes, the user's posts decide")
  func reply() {
    func isProven(_ text: String) -> Bool {
      let body = #"{"data":{"id":"9","text":"\#(text)"}}"#
      switch result(201, body, text: "@kai thanks", replyTo: "5").result {
      case .posted(let post):
        let draft = PostDraft(text: "@kai thanks", replyTo: .post("5"))
        return PostComparison(draft, replyTo: "5").differences(in: post) == []
      case .unanswered(_, until: nil, named: "9"?): return false
      case let other:
        Issue.record("\(other)")
        return false
      }
    }
    #expect(isProven("@kai thanks") && isProven("@mia @kai thanks"))
    #expect(!isProven("@mia thanks") && !isProven("hello @mia @kai thanks"))
  }

  @Test("a refusal means that nothing was published; an unreadable response leaves the outcome open")
  func outcomes() {
    let duplicate =
      #"{"detail":"You are not allowed to create a Tweet with duplicate content.","type":"about:blank","title":"Forbidden","status":403}"#
    let credits =
      #"{"title":"CreditsDepleted","detail":"no credits","type":"https://api.twitter.com/2/problems/credits"}"#
    guard case .refused(let message, false) = result(403, duplicate).result, message.contains("duplicate content"),
      case .postponed = result(402, credits).result, case .postponed = result(429, "").result,
      case .refused = result(400, #"{"title":"Invalid Request","detail":"no"}"#).result
    else {
      Issue.record("a refusal is classified incorrectly")
      return
    }
    for (status, body) in [
      (201, ""), (201, "{}"), (200, #"{"errors":[{"title":"odd"}]}"#), (201, #"{"data":{"text":"hello"}}"#),
      (201, #"{"data":{"id":"1","te"#), (202, "<html></html>"), (500, ""), (503, "{}"),
    ] {
      guard case .unanswered = result(status, body).result else {
        Issue.record("\(status) \(body): \(result(status, body).result)")
        return
      }
    }
  }

  @Test("requests for actions use X's addresses, and likes are refused with the reason")
  func actions() throws {
    func request(_ kind: PostAction.Kind, undo: Bool = false, id: String = "5") throws -> String? {
      let action = try #require(PostAction(kind, isUndone: undo))
      return provider.actionRequest(action, on: id, by: "7").map { request in
        "\(request.method) \(request.address.path) \(request.text)"
      }
    }
    #expect(try request(.delete) == "DELETE /2/tweets/5 ")
    #expect(try request(.repost) == #"POST /2/users/7/retweets {"tweet_id":"5"}"#)
    #expect(try request(.repost, undo: true) == "DELETE /2/users/7/retweets/5 ")
    #expect(try request(.bookmark) == #"POST /2/users/7/bookmarks {"tweet_id":"5"}"#)
    #expect(try request(.bookmark, undo: true) == "DELETE /2/users/7/bookmarks/5 ")
    #expect(try request(.like) == nil && request(.delete, id: "../5") == nil)
    #expect(provider.objection(to: try #require(PostAction(.like)))?.contains("no longer lets") == true)
    #expect(provider.objection(to: try #require(PostAction(.repost))) == nil)
  }

  @Test("an action on a post counts as done only if X's response confirms it")
  func confirmation() throws {
    func confirms(_ kind: PostAction.Kind, undo: Bool = false, _ body: String) throws -> Bool {
      provider.confirms(try #require(PostAction(kind, isUndone: undo)), in: Samples.respond(body))
    }
    #expect(try confirms(.delete, #"{"data":{"deleted":true}}"#) && !confirms(.delete, #"{"data":{"deleted":false}}"#))
    #expect(try confirms(.repost, #"{"data":{"rest_id":"1","retweeted":true}}"#))
    #expect(try confirms(.bookmark, undo: true, #"{"data":{"bookmarked":false}}"#))
    #expect(try !confirms(.bookmark, #"{"data":{}}"#) && !confirms(.delete, ""))
  }

  @Test(
    "a post with two cashtags is refused, and so is one ending with a link to a post, which X would quote",
    arguments: [
      ("look https://x.com/kai/status/5", true), ("look twitter.com/kai/status/5?s=20 ", true),
      ("https://x.com/kai/status/5 is odd", false), ("https://x.com/kai", false),
      ("https://example.org/x.com/status/5", false), ("$ABC up", false), ("$ABC and $XYZ up", true),
      ("$5 and $6", false),
    ])
  func quotes(text: String, isRefused: Bool) {
    #expect((provider.objection(to: PostDraft(text: text)) != nil) == isRefused)
  }

  @Test("the first request for the user's posts asks for the smallest page, and the next only for newer posts")
  func ownPosts() throws {
    let first = try #require(provider.ownPostsRequest(userID: "7", after: nil))
    #expect(first.address.path == "/2/users/7/tweets" && first.address.query?.contains("max_results=5&") == true)
    #expect(first.address.query?.contains("since_id") == false)
    let next = try #require(provider.ownPostsRequest(userID: "7", after: ["99", "100", "2"]))
    #expect(next.address.query?.contains("since_id=100") == true)
    let body = """
      {"data":[{"id":"30","text":"RT @a: b","referenced_tweets":[{"type":"retweeted","id":"1"}]},
      {"id":"20","author_id":"7","text":"@kai ok &amp; https://t.co/a","referenced_tweets":[{"type":"replied_to","id":"5"}],
      "entities":{"urls":[{"url":"https://t.co/a","expanded_url":"https://example.org/"}]}}],"meta":{"result_count":2}}
      """
    let posts = try provider.ownPosts(from: Samples.respond(body))
    #expect(
      posts == [
        SentPost(
          id: "20", url: "https://x.com/i/status/20", text: "@kai ok & https://example.org/", visibility: nil,
          replyTo: "5", authorID: "7")
      ])
    #expect(try provider.ownPosts(from: Samples.respond(#"{"meta":{"result_count":0}}"#)).isEmpty)
  }

  @Test("posting is refused with the reason if the timeline's address does not show where to post")
  func address() throws {
    let moved = ProviderLocation(.oauth2, endpoints: [.homeTimeline: try RequestURL("https://a.example/home")])
    #expect(try X(at: moved)?.postingObjection?.contains("home_timeline") == true)
    #expect(provider.postingObjection == nil)
  }
}
