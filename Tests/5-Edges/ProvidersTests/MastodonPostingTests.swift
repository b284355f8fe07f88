import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import Testing
import Time
import Timeline

@testable import Providers

/// The requests and responses for posting to Mastodon-compatible servers.
@Suite struct MastodonPostingTests {
  private let provider = try! Mastodon(at: ProviderLocation(.oauth2, at: RequestURL("https://a.example")))!
  private let now = Timestamp(seconds: 1_795_176_000)

  private func response(_ status: Int, _ body: String) -> ProviderResponse {
    ProviderResponse(status: status, body: Array(body.utf8), receivedAt: now, hiding: .nothing)
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
    "a post's length is measured by the server's own rule and limits",
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

  @Test("a post that is too long with its content warning is refused with its length and the limit")
  func tooLong() throws {
    let rules = try rules(#"{"version":"4.5.2","configuration":{"statuses":{"max_characters":30}}}"#)
    let address = "https://example.org/a/long/path/to/a/page"
    #expect(rules.objection(to: PostDraft(text: "See \(address).")) == nil)
    #expect(
      rules.objection(to: PostDraft(text: "See \(address).", warning: "abc"))
        == "The text has 31 of 30 characters; shorten it by 1.")
  }

  @Test("visibilities that snac replaces before version 2.84 are refused before the post is sent")
  func snac() throws {
    for version in ["2.75", "2.83", "2"] {
      let rules = try rules(#"{"version":"2.7.2 (not true; really snac/\#(version))"}"#)
      #expect(rules.objection(to: PostDraft(text: "a", visibility: .direct))?.contains("public, private") == true)
      #expect(rules.objection(to: PostDraft(text: "a", visibility: .unlisted)) != nil)
      #expect(rules.objection(to: PostDraft(text: "a", visibility: .followers)) == nil)
    }
    for version in ["2.84", "2.94", "2.100-dev", "3.0"] {
      let rules = try rules(#"{"version":"4.0.0 (not true; really snac/\#(version))"}"#)
      for visibility in PostVisibility.allCases {
        #expect(rules.objection(to: PostDraft(text: "a", visibility: visibility)) == nil)
      }
    }
  }

  @Test("each row of the table of software is recognised by its recorded description", arguments: MastodonDialect.known)
  func dialects(dialect: MastodonDialect) throws {
    let rules = try rules(dialect.recorded)
    #expect(rules.isKnown && rules.server == "a.example" && rules.visibilities == dialect.visibilities)
    #expect(rules.hasWarnings == dialect.keepsWarnings && rules.hasLanguages == dialect.keepsLanguages)
    #expect(rules.keyLifetime == dialect.keyLifetime)
  }

  @Test("what a known server drops is refused, even if the user trusts the server")
  func dropped() throws {
    let rules = try rules(#"{"version":"WordPress/6.1.9, ActivityPub/4.0, EMA/1.6.1"}"#)
    for draft in [
      PostDraft(text: "a", visibility: .followers, trustsServer: true),
      PostDraft(text: "a", warning: "w", trustsServer: true), PostDraft(text: "a", language: "en", trustsServer: true),
    ] { #expect(rules.objection(to: draft)?.hasPrefix("a.example does not support") == true) }
    #expect(rules.objection(to: PostDraft(text: "a", visibility: .everyone)) == nil)
  }

  @Test(
    "what unknown software might drop is refused, unless the user trusts the server",
    arguments: [
      #"{"uri":"teapot.example","version":"0.9.1","title":"Teapot"}"#, #"{"version":"0.11.0"}"#, "{}",
      #"{"version":"teapot"}"#, #"{"version":"4.2.1 (compatible; Iceshrimp 2023)"}"#,
      #"{"version":"4.5.2","source_url":"https://teapot.example/source"}"#,
      #"{"version":"3.5.3 (compatible; Pixelfed)"}"#,
    ])
  func unknown(body: String) throws {
    let rules = try rules(body)
    for (draft, part) in [
      (PostDraft(text: "a", visibility: .followers), "the visibility private, or publishes the post for everyone"),
      (PostDraft(text: "a", visibility: .unlisted), "the visibility unlisted"),
      (PostDraft(text: "a", visibility: .direct, warning: "w"), "the visibility direct and the content warning"),
      (PostDraft(text: "a", visibility: .everyone, language: "en"), "keeps the language; to publish"),
    ] {
      let objection = rules.objection(to: draft) ?? ""
      #expect(objection.contains(part) && objection.contains("--trust-server"), "\(objection)")
      #expect(rules.doubt(about: draft) == objection)
      var trusting = draft
      trusting.trustsServer = true
      #expect(rules.objection(to: trusting) == nil && rules.doubt(about: trusting) == nil)
    }
    #expect(rules.objection(to: PostDraft(text: "a")) == nil)
    #expect(rules.objection(to: PostDraft(text: "a", visibility: .everyone)) == nil)
  }

  @Test("if ids are not ordered, a page is requested without a lower bound, because a newer snac would honour it")
  func lowerBound() {
    let snac = PostPosition(
      id: PostID("1795694395a1b7c4d2e8f09b3c5d6e7f8091a2b3c4"), key: PostKey("t001795694395000.5000.a"))
    let mastodon = PostPosition(id: PostID("115600000000000200"), key: PostKey(decimal: PostID("115600000000000200"))!)
    func query(_ since: PostPosition, _ older: String? = nil) -> String? {
      provider.pageRequest(for: TimelineQuery(older: older.map { PageCursor($0) }, since: since, count: 40)).address
        .query
    }
    #expect(query(snac) == "limit=40" && query(snac, "b") == "limit=40&max_id=b")
    #expect(query(mastodon) == "limit=40&min_id=115600000000000200")
    #expect(query(mastodon, "9") == "limit=40&max_id=9&since_id=115600000000000200")
  }

  @Test("the request to publish a post has the key and only the given parameters")
  func request() {
    let key = IdempotencyKey(stored: "k1")!
    let plain = provider.postingRequest(PostDraft(text: "a & b"), media: [], replyTo: nil, key: key)
    #expect(plain.parameters == [Parameter("status", "a & b")] && plain.url == "https://a.example/api/v1/statuses")
    #expect(plain.headers.first("Idempotency-Key") == "k1")
    let draft = PostDraft(text: "a", visibility: .followers, warning: "w", language: "en")
    #expect(
      provider.postingRequest(draft, media: [], replyTo: "5", key: key).parameters == [
        Parameter("status", "a"), Parameter("in_reply_to_id", "5"), Parameter("visibility", "private"),
        Parameter("spoiler_text", "w"), Parameter("language", "en"),
      ])
  }

  @Test("each response to a new post leads only to the outcome that it proves")
  func outcomes() {
    func result(_ status: Int, _ body: String = "") -> AttemptResult {
      provider.posted(
        from: response(status, body), PostDraft(text: "a"),
        in: PostingContext(author: Samples.author, knownBefore: nil, sentAt: now)
      ).result
    }
    let status =
      #"{"id":"7","created_at":"2026-11-20T10:00:00Z","content":"<p>a</p>","visibility":"public","in_reply_to_id":null,"url":"https://a.example/@m/7","account":{"id":"1","acct":"m"}}"#
    #expect(
      result(200, status)
        == .posted(
          SentPost(
            id: "7", url: "https://a.example/@m/7", text: "a", visibility: .everyone, replyTo: nil,
            details: SentPost.Details(warning: "", language: nil, fileCount: 0), authorID: "1",
            createdAt: Timestamp(rfc3339: "2026-11-20T10:00:00Z"))))
    for (code, body) in [
      (200, "{\"id\":\"7\""), (200, ""), (202, "{}"), (500, ""), (502, "<html>"), (409, "{}"), (408, ""),
    ] {
      guard case .unanswered = result(code, body) else {
        Issue.record("\(code) \(body): \(result(code, body))")
        continue
      }
    }
    guard case .refused(_, coversEarlier: true) = result(422, #"{"error":"Validation failed"}"#),
      case .withoutLogin = result(401, #"{"error":"revoked"}"#),
      case .refused(_, coversEarlier: false) = result(404, #"{"error":"Record not found"}"#),
      case .postponed = result(429, #"{"error":"Too many requests"}"#)
    else {
      Issue.record("a refusal is not recognised")
      return
    }
  }

  @Test("a post that the user's own posts may not contain is also looked for in the home timeline")
  func home() {
    let asked = [PostVisibility?.none, .followers, .direct].map {
      provider.homeRequest(showing: PostDraft(text: "a", visibility: $0))?.address.path
    }
    #expect(asked == Array(repeating: "/api/v1/timelines/home", count: 3))
    for visibility in [PostVisibility.everyone, .unlisted] {
      #expect(provider.homeRequest(showing: PostDraft(text: "a", visibility: visibility)) == nil)
    }
  }

  @Test("each action on a post has its own request, unless the post's id could change the address")
  func actions() throws {
    func request(_ kind: PostAction.Kind, _ isUndone: Bool = false, on id: String = "7") throws -> String? {
      let action = try #require(PostAction(kind, isUndone: isUndone))
      return provider.actionRequest(action, on: id, by: "1").map { "\($0.method) \($0.address.path)" }
    }
    #expect(try request(.delete) == "DELETE /api/v1/statuses/7" && request(.repost) == "POST /api/v1/statuses/7/reblog")
    #expect(try request(.like, true) == "POST /api/v1/statuses/7/unfavourite")
    #expect(try request(.bookmark) == "POST /api/v1/statuses/7/bookmark" && request(.like, on: "7/../8") == nil)
    #expect(PostAction(.delete, isUndone: true) == nil)
  }
}
