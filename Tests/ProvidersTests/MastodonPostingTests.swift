import CivilTime
import HomelineOAuth
import PostText
import Posting
@testable import Providers
import Testing

/// The requests and responses for posting to servers with Mastodon's API.
@Suite struct MastodonPostingTests {
  private let provider = try! Mastodon(at: ProviderLocation(.oauth2, at: RequestURL("https://a.example")))!
  private let now = Timestamp(seconds: 1_795_176_000)

  private func response(_ status: Int, _ body: String) -> ProviderResponse {
    ProviderResponse(status: status, body: Array(body.utf8), receivedAt: now, hiding: .nothing) { _ in nil }
  }

  private func rules(_ body: String) throws -> PostingRules { try provider.postingRules(from: response(200, body)) }

  @Test(
    "idempotency keys are trusted only on servers that honour them",
    arguments: [
      (#"{"version":"4.5.2","source_url":"https://github.com/mastodon/mastodon"}"#, true),
      (#"{"version":"4.6.0-nightly+glitch"}"#, true),
      (#"{"version":"2.7.2 (compatible; Akkoma 3.16.0)"}"#, true),
      (#"{"version":"2.7.2 (compatible; Pleroma 2.9)"}"#, true),
      (#"{"version":"0.20.2+git-000000"}"#, false),
      (#"{"version":"4.0.0","source_url":"https://x.example/GoToSocial"}"#, false),
      (#"{"version":"2.7.2 (not true; really snac/2.85)"}"#, false),
      (#"{"version":"4.2.1 (compatible; Iceshrimp 2023)"}"#, false),
      (#"{}"#, false),
    ])
  func keys(body: String, isTrusted: Bool) throws {
    #expect(try (rules(body).keyLifetime != nil) == isTrusted)
  }

  @Test(
    "the length of a post is measured by the server's own rule, and against the limits that the server reports",
    arguments: [
      (
        #"{"version":"4.5.2","configuration":{"statuses":{"max_characters":500,"characters_reserved_per_url":30}}}"#,
        LengthRule.mastodon(limit: 500, addressLength: 30)
      ),
      (
        #"{"version":"4.5.2","configuration":{"statuses":{"max_characters":"15000"}}}"#,
        .mastodon(limit: 15_000, addressLength: 23)
      ),
      (#"{"version":"4.5.2","configuration":{"statuses":{"max_characters":0}}}"#, nil),
      (#"{"version":"4.5.2","configuration":[]}"#, nil), (#"{"version":"4.5.2"}"#, nil),
      (#"{"version":"2.7.2 (compatible; Akkoma 3.16.0)","max_toot_chars":5000}"#, .graphemes(limit: 5000)),
      (
        #"{"version":"0.20.2","configuration":{"statuses":{"max_characters":5000}}}"#,
        .codePoints(limit: 5000)
      ),
    ])
  func length(body: String, rule: LengthRule?) throws {
    let rules = try rules(body)
    #expect(rules.length == rule)
    let long = rules.objection(to: PostDraft(text: String(repeating: "a", count: 15_001)))
    #expect((long != nil) == (rule != nil))
  }

  @Test("a post that is too long with its content warning is rejected with its length and the limit")
  func tooLong() throws {
    let rules = try rules(#"{"version":"4.5.2","configuration":{"statuses":{"max_characters":30}}}"#)
    let address = "https://example.org/a/long/path/to/a/page"
    #expect(rules.objection(to: PostDraft(text: "See \(address).")) == nil)
    #expect(
      rules.objection(to: PostDraft(text: "See \(address).", warning: "abc"))
        == "The text has 31 of 30 characters; shorten it by 1.")
  }

  @Test("visibilities that snac would replace are rejected before the post is sent")
  func snac() throws {
    let rules = try rules(#"{"version":"2.7.2 (not true; really snac/2.85)"}"#)
    #expect(rules.objection(to: PostDraft(text: "a", visibility: .direct))?.contains("public, private") == true)
    #expect(rules.objection(to: PostDraft(text: "a", visibility: .unlisted)) != nil)
    #expect(rules.objection(to: PostDraft(text: "a", visibility: .followers)) == nil)
  }

  @Test("the request to publish a post has the key and only the given parameters")
  func request() {
    let key = IdempotencyKey(stored: "k1")
    let plain = provider.postingRequest(PostDraft(text: "a & b"), media: [], replyTo: nil, key: key)
    #expect(plain.form == [Parameter("status", "a & b")] && plain.url.text == "https://a.example/api/v1/statuses")
    #expect(plain.headers.map(\.name) == ["Idempotency-Key"] && plain.headers[0].value == "k1")
    let draft = PostDraft(text: "a", visibility: .followers, warning: "w", language: "en")
    #expect(
      provider.postingRequest(draft, media: [], replyTo: "5", key: key).form == [
        Parameter("status", "a"), Parameter("in_reply_to_id", "5"), Parameter("visibility", "private"),
        Parameter("spoiler_text", "w"), Parameter("language", "en"),
      ])
  }

  @Test("each response to a new post leads only to the outcome that it proves")
  func outcomes() {
    func result(_ status: Int, _ body: String = "") -> AttemptResult {
      provider.posted(
        from: response(status, body), PostDraft(text: "a"), in: PostingContext(author: Samples.author, knownBefore: nil)
      ).result
    }
    let status =
      #"{"id":"7","created_at":"2026-11-20T10:00:00Z","content":"<p>a</p>","visibility":"public","in_reply_to_id":null,"url":"https://a.example/@m/7","account":{"id":"1","acct":"m"}}"#
    #expect(
      result(200, status)
        == .posted(
          SentPost(
            id: "7", url: "https://a.example/@m/7", text: "a", visibility: .everyone, replyTo: nil,
            details: SentPost.Details(warning: "", language: nil, fileCount: 0))))
    for (code, body) in [
      (200, "{\"id\":\"7\""), (200, ""), (202, "{}"), (500, ""), (502, "<html>"), (409, "{}"), (408, ""),
    ] {
      guard case .unanswered = result(code, body) else {
        Issue.record("\(code) \(body): \(result(code, body))")
        continue
      }
    }
    guard case .rejected(_, coversEarlier: true) = result(422, #"{"error":"Validation failed"}"#),
      case .withoutLogin = result(401, #"{"error":"revoked"}"#),
      case .rejected(_, coversEarlier: false) = result(404, #"{"error":"Record not found"}"#),
      case .postponed = result(429, #"{"error":"Too many requests"}"#)
    else {
      Issue.record("a refusal is not recognised")
      return
    }
  }

  @Test("each action on a post has its own request, unless the post's id could change the address")
  func actions() throws {
    func request(_ kind: PostAction.Kind, _ isUndone: Bool = false, on id: String = "7") throws -> String? {
      let action = try #require(PostAction(kind, isUndone: isUndone))
      return provider.actionRequest(action, on: id, by: "1").map { "\($0.method) \($0.url.path)" }
    }
    #expect(try request(.delete) == "DELETE /api/v1/statuses/7" && request(.repost) == "POST /api/v1/statuses/7/reblog")
    #expect(try request(.like, true) == "POST /api/v1/statuses/7/unfavourite")
    #expect(try request(.bookmark) == "POST /api/v1/statuses/7/bookmark" && request(.like, on: "7/../8") == nil)
    #expect(PostAction(.delete, isUndone: true) == nil)
  }
}
