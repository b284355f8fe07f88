import HomelineOAuth
@testable import Providers
import Testing
import Timeline

@Suite struct BrokenAnswerTests {
  private func error(_ body: String, status: Int = 200) -> ProviderError? {
    #expect(throws: ProviderError.self) {
      try Samples.twitter.page(from: Samples.answer(body, status: status), for: TimelineQuery(count: 5))
    }
  }

  @Test("a page cut at any byte is never a page")
  func truncation() throws {
    let members =
      #""full_text":"caf\u00e9 é & &lt; \ud83d\ude00","entities":{"urls":[{"url":"https://t.co/a","expanded_url":"https://x.example"}]},"retweet_count":12,"lang":null"#
    let body = Array(
      "[\(Samples.status(members)),\(Samples.status(#""retweeted_status":"# + Samples.status(members)))]".utf8)
    for length in 0..<body.count {
      let answer = ProviderAnswer(
        status: 200, body: Array(body.prefix(length)), receivedAt: Samples.now, hiding: .nothing
      ) { _ in nil }
      #expect(throws: ProviderError.self) { try Samples.twitter.page(from: answer, for: TimelineQuery(count: 5)) }
    }
    #expect(try Samples.fetched(String(decoding: body, as: UTF8.self)).page.entries.count == 1)
  }

  @Test("what is cut off is said with its place")
  func truncationWords() {
    #expect(
      error("[\n{\"id\":1")
        == .unreadable(
          "The provider's answer cannot be read as a timeline: line 2, column 8: the text ends in the middle of a value."
        ))
  }

  @Test("garbage behind the page makes it no page")
  func trailingGarbage() { #expect(error("[] []")?.problem.code == .provider) }

  @Test("an HTML page with 200 is said to be one")
  func htmlPage() {
    let error = error("<!DOCTYPE html><html><body>Please log in to the Wi-Fi</body></html>")
    #expect(error?.description.contains("HTML page") == true)
    #expect(error?.problem.code == .provider)
  }

  @Test("an object or nothing where a timeline should be is an error", arguments: ["{}", ""])
  func otherThings(body: String) {
    #expect(error(body)?.description.contains("where a timeline was expected") == true)
  }

  @Test(
    "a word or a number where a timeline should be is shown", arguments: ["\"x\"", "17", "null", "Error: nothing here"])
  func words(body: String) { #expect(error(body)?.description.contains("“\(body)”") == true) }

  @Test("a refusal counts although it comes with 200")
  func refusalWithSuccess() {
    let body = #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#
    guard case .refused(.needsLogin(let words))? = error(body) else {
      Issue.record("not taken for a refusal")
      return
    }
    #expect(words.contains("Invalid or expired token.") && words.contains("89"))
  }

  @Test("a form answer with an error in it counts as one although it comes with 200")
  func formRefusal() {
    guard case .refused? = error("error=Invalid%20signature") else {
      Issue.record("not taken for a refusal")
      return
    }
  }

  @Test("a timeline that comes with an error status is not taken")
  func timelineWithFailure() { #expect(error("[]", status: 500)?.problem.code == .provider) }

  @Test(
    "an id that is longer than any order of ids is none, so no later post comes to lie below it", arguments: ["7", "z"])
  func longID(of letter: String) throws {
    let long = Samples.status("", id: String(repeating: letter, count: 100))
    let fetched = try Samples.fetched("[\(long),\(Samples.status(""))]")
    #expect(fetched.page.entries.map(\.post.id.text) == ["100"])
  }

  @Test("nesting without end is refused")
  func deepNesting() {
    #expect(error(String(repeating: "[", count: 100_000))?.description.contains("nested deeper than") == true)
  }

  @Test("invalid UTF-8 and lone surrogates do not lose a post")
  func brokenText() throws {
    let body =
      Array(#"[{"id_str":"1","created_at":"\#(Samples.date)","full_text":"a"#.utf8) + [0xff, 0xc3]
      + Array(#"b\ud800c\u0000"}]"#.utf8)
    let answer = ProviderAnswer(status: 200, body: body, receivedAt: Samples.now, hiding: .nothing) { _ in nil }
    guard case .page(let fetched) = try Samples.twitter.page(from: answer, for: TimelineQuery(count: 5)) else {
      throw Samples.NotAPage()
    }
    #expect(fetched.page.entries[0].post.text == "a\u{fffd}\u{fffd}b\u{fffd}c\u{0}")
  }
}
