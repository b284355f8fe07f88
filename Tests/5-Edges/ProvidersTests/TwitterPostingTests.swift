import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import Testing
import Time

@testable import Providers

/// The requests and responses for posting with Twitter's v1.1 API.
@Suite struct TwitterPostingTests {
  private let now = Timestamp(seconds: 1_795_176_000)

  private func provider(homeTimeline: String = "https://gs.example/api/statuses/home_timeline.json") throws -> Twitter {
    let place = ProviderLocation(endpoints: [.homeTimeline: try RequestURL(homeTimeline)])
    return try #require(try Twitter(at: place))
  }

  private func result(_ status: Int, _ body: String, known: Set<String>? = []) throws -> AttemptResult {
    let response = ProviderResponse(status: status, body: Array(body.utf8), receivedAt: now, hiding: .nothing)
    return try provider().posted(
      from: response, PostDraft(text: "hello"),
      in: PostingContext(author: Samples.author, knownBefore: known, sentAt: now)
    ).result
  }

  private func status(_ text: String) -> String {
    #"{"id":7,"created_at":"Fri Nov 20 10:00:00 +0000 2026","text":"\#(text)","user":{"id":1,"screen_name":"m","name":"M"}}"#
  }

  @Test("on a server in a folder, every address of the API is in that folder")
  func folder() throws {
    let addresses = try provider(homeTimeline: "https://example.org/social/api/statuses/home_timeline.json").addresses
    let api = "https://example.org/social/api"
    #expect(addresses.update?.text == "\(api)/statuses/update.json")
    #expect(addresses.userTimeline?.text == "\(api)/statuses/user_timeline.json")
    #expect(addresses.endpoint("media/upload.json")?.text == "\(api)/media/upload.json")
  }

  @Test(
    "the folder of a GNU social site distinguishes its users from those of another site on the host",
    arguments: [
      ("https://example.org/social/api/statuses/home_timeline.json", "/social"),
      ("https://example.org/a/b/index.php/api/statuses/home_timeline.json", "/a/b"),
      ("https://example.org/api/statuses/home_timeline.json", ""),
      ("https://example.org/index.php/api/statuses/home_timeline.json", ""),
      ("https://example.org/1.1/statuses/home_timeline.json", ""),
    ])
  func siteFolder(homeTimeline: String, folder: String) throws {
    let provider = try provider(homeTimeline: homeTimeline)
    #expect(provider.server == XServer.identity(provider.addresses.oauth.accessToken.origin) + folder)
  }

  @Test("a new post is sent as a signed form to the address next to the home timeline's address")
  func request() throws {
    let request = try provider().postingRequest(
      PostDraft(text: "a&b"), media: [], replyTo: "5", key: IdempotencyKey(stored: "k")!)
    #expect(request.url == "https://gs.example/api/statuses/update.json" && request.method == .post)
    #expect(
      request.parameters == [
        Parameter("status", "a&b"), Parameter("tweet_mode", "extended"), Parameter("in_reply_to_status_id", "5"),
      ])
  }

  @Test("posting to X, or with an address that does not show where to post, is refused with a reason")
  func objections() throws {
    #expect(try provider().postingObjection == nil)
    #expect(try provider(homeTimeline: "https://gs.example/home").postingObjection?.contains("home_timeline") == true)
    let atX = try #require(try Twitter(at: ProviderLocation()))
    #expect(atX.postingObjection?.contains("closed its v1.1 API") == true)
  }

  @Test("GNU social's newest post in return means that GNU social took the text for a command")
  func command() throws {
    let body = status("old").dropLast() + #","statusnet_html":"old"}"#
    guard case .refused(let reason, false) = try result(200, String(body), known: ["7"]),
      reason.contains("as a command"), case .unanswered = try result(200, String(body)),
      case .unanswered = try result(200, status("old"), known: ["7"])
    else {
      Issue.record("a response is classified incorrectly")
      return
    }
  }

  @Test(
    "a used nonce leaves the outcome open, because something between client and server may have sent it twice",
    arguments: [
      (401, "oauth_problem=nonce_used"),
      (401, #"{"errors":[{"code":32,"message":"The nonce has already been used."}]}"#),
      (400, "Error: Nonce already used: 1f"), (200, #"{"error":{"info":"Nonce already used: 1f"}}"#),
    ])
  func usedNonce(status: Int, body: String) throws {
    guard case .copyRefused = try result(status, body) else {
      Issue.record("\(try result(status, body))")
      return
    }
  }

  @Test("an error with status 200 is a refusal; an unreadable response leaves the outcome open")
  func errors() throws {
    guard case .refused = try result(200, #"{"errors":[{"message":"No.","code":131}]}"#),
      case .refused = try result(403, #"{"errors":[{"code":187,"message":"Status is a duplicate."}]}"#),
      case .unanswered = try result(200, "<html></html>"), case .unanswered = try result(200, ""),
      case .unanswered = try result(500, ""), case .postponed = try result(429, "")
    else {
      Issue.record("a response is classified incorrectly")
      return
    }
  }
}
