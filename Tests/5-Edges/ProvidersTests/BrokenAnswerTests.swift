import HomelineOAuth
import Testing
import Timeline

@testable import Providers

@Suite struct BrokenAnswerTests {
  private func error(_ body: String, status: Int = 200) -> ProviderFailure? {
    #expect(throws: ProviderFailure.self) {
      try Samples.twitter.page(from: Samples.respond(body, status: status), for: TimelineQuery(count: 5))
    }
  }

  @Test("a page truncated at any byte is refused")
  func truncation() throws {
    let members =
      #""full_text":"caf\u00e9 é & &lt; \ud83d\ude00","entities":{"urls":[{"url":"https://t.co/a","expanded_url":"https://x.example"}]},"retweet_count":12,"lang":null"#
    let body = Array(
      "[\(Samples.status(members)),\(Samples.status(#""retweeted_status":"# + Samples.status(members)))]".utf8)
    for length in 0..<body.count {
      let response = ProviderResponse(
        status: 200, body: Array(body.prefix(length)), receivedAt: Samples.now, hiding: .nothing
      )
      #expect(throws: ProviderFailure.self) { try Samples.twitter.page(from: response, for: TimelineQuery(count: 5)) }
    }
    #expect(try Samples.fetched(String(decoding: body, as: UTF8.self)).page.entries.count == 1)
  }

  @Test("the error for a truncated page says where the page ends")
  func truncationMessage() {
    #expect(
      error("[\n{\"id\":1")
        == .unreadable(
          "The provider's response cannot be read as a timeline: line 2, column 8: the text ends in the middle of a value."
        ))
  }

  @Test("a page followed by garbage is refused")
  func trailingGarbage() { #expect(error("[] []")?.problem.code == .provider) }

  @Test("an HTML page with status 200 is reported as a web page")
  func htmlPage() {
    let error = error("<!DOCTYPE html><html><body>Please log in to the Wi-Fi</body></html>")
    #expect(error?.description.contains("a web page (status 200)") == true)
    #expect(error?.problem.code == .provider)
  }

  @Test("an object or an empty body in place of a timeline is an error")
  func otherThings() {
    #expect(error("{}")?.description.contains("where a timeline was expected") == true)
    #expect(error("")?.description.contains("sent an empty body (status 200) instead of data") == true)
  }

  @Test(
    "the error quotes a string or number received in place of a timeline",
    arguments: ["\"x\"", "17", "null", "Error: nothing here"])
  func message(body: String) { #expect(error(body)?.description.contains("“\(body)”") == true) }

  @Test("a JSON error with status 200 is a refusal")
  func refusalWithSuccess() {
    let body = #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#
    guard case .needsLogin(let message)? = error(body) else {
      Issue.record("the response is not recognised as a refusal")
      return
    }
    #expect(message.contains("Invalid or expired token.") && message.contains("89"))
  }

  @Test("a form-encoded error with status 200 is a refusal")
  func formRefusal() {
    #expect(error("error=Invalid%20signature")?.isRefusal == true)
  }

  @Test("a timeline in a response with an error status is refused")
  func timelineWithFailure() { #expect(error("[]", status: 500)?.problem.code == .provider) }

  @Test(
    "an overlong post id is refused, because later posts would be sorted below it", arguments: ["7", "z"])
  func longID(of letter: String) throws {
    let long = Samples.status("", id: String(repeating: letter, count: 100))
    let fetched = try Samples.fetched("[\(long),\(Samples.status(""))]")
    #expect(fetched.page.entries.map(\.post.id.text) == ["100"])
  }

  @Test("a response with unlimited nesting is refused")
  func deepNesting() {
    #expect(error(String(repeating: "[", count: 100_000))?.description.contains("nested deeper than") == true)
  }

  @Test("a post with invalid UTF-8 or lone surrogates is not lost")
  func brokenText() throws {
    let body =
      Array(#"[{"id_str":"1","created_at":"\#(Samples.date)","full_text":"a"#.utf8) + [0xff, 0xc3]
      + Array(#"b\ud800c\u0000"}]"#.utf8)
    let response = ProviderResponse(status: 200, body: body, receivedAt: Samples.now, hiding: .nothing)
    guard case .page(let fetched) = try Samples.twitter.page(from: response, for: TimelineQuery(count: 5)) else {
      throw Samples.NotAPage()
    }
    #expect(fetched.page.entries[0].post.text == "a\u{fffd}\u{fffd}b\u{fffd}c\u{0}")
  }
}
