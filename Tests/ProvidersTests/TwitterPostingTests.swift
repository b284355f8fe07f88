import CivilTime
import HomelineOAuth
import Posting
@testable import Providers
import Testing

/// The requests and responses for posting with Twitter's v1.1 API.
@Suite struct TwitterPostingTests {
  private let now = Timestamp(seconds: 1_795_176_000)

  private func provider(homeTimeline: String = "https://gs.example/api/statuses/home_timeline.json") throws -> Twitter {
    let place = ProviderLocation(endpoints: [.homeTimeline: try RequestURL(homeTimeline)])
    return try #require(try Twitter(at: place))
  }

  private func result(_ status: Int, _ body: String, known: Set<String>? = []) throws -> AttemptResult {
    let response = ProviderResponse(status: status, body: Array(body.utf8), receivedAt: now, hiding: .nothing) { _ in
      nil
    }
    return try provider().posted(
      from: response, PostDraft(text: "hello"), in: PostingContext(author: Samples.author, knownBefore: known)
    ).result
  }

  private func status(_ text: String) -> String {
    #"{"id":7,"created_at":"Fri Nov 20 10:00:00 +0000 2026","text":"\#(text)","user":{"id":1,"screen_name":"m","name":"M"}}"#
  }

  @Test("a new post is sent as a signed form to the address next to the home timeline's address")
  func request() throws {
    let request = try provider().postingRequest(
      PostDraft(text: "a&b"), media: [], replyTo: "5", key: IdempotencyKey(stored: "k"))
    #expect(request.url.text == "https://gs.example/api/statuses/update.json" && request.method == "POST")
    #expect(
      request.form == [
        Parameter("status", "a&b"), Parameter("tweet_mode", "extended"), Parameter("in_reply_to_status_id", "5"),
      ])
  }

  @Test("posting to X, or with an address that does not show where to post, is rejected with a reason")
  func objections() throws {
    #expect(try provider().postingObjection == nil)
    #expect(try provider(homeTimeline: "https://gs.example/home").postingObjection?.contains("home_timeline") == true)
    let atX = try #require(try Twitter(at: ProviderLocation()))
    #expect(atX.postingObjection?.contains("closed its v1.1 API") == true)
  }

  @Test("a different post in the response is not mistaken for the user's own post")
  func anotherPost() throws {
    guard case .posted = try result(200, status("hello")),
      case .rejected = try result(200, status("old"), known: ["7"]),
      case .unanswered = try result(200, status("old"), known: nil), case .posted = try result(200, status("new"))
    else {
      Issue.record("a response is classified incorrectly")
      return
    }
  }

  @Test("an error with status 200 is a refusal; an unreadable response leaves the outcome open")
  func errors() throws {
    guard case .rejected = try result(200, #"{"errors":[{"message":"No.","code":131}]}"#),
      case .rejected = try result(403, #"{"errors":[{"code":187,"message":"Status is a duplicate."}]}"#),
      case .unanswered = try result(200, "<html></html>"), case .unanswered = try result(200, ""),
      case .unanswered = try result(500, ""), case .postponed = try result(429, "")
    else {
      Issue.record("a response is classified incorrectly")
      return
    }
  }
}
