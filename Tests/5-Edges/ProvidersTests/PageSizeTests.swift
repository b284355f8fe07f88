import Testing
import Timeline

@testable import Providers

/// Responses with more posts than any page can have.
@Suite struct PageSizeTests {
  private func refuses(_ body: String, by provider: any Provider) {
    let error = #expect(throws: ProviderFailure.self) {
      _ = try provider.page(from: Samples.respond(body), for: TimelineQuery(count: 40))
    }
    guard let error else { return }
    #expect("\(error)".contains("more than 2000 posts"), "\(error)")
    #expect(error.problem.code == .provider)
  }

  private func list(_ count: Int, _ element: (Int) -> String) -> String {
    "[" + (1...count).map(element).joined(separator: ",") + "]"
  }

  @Test("every provider reads a page of 2,000 posts and refuses a larger page")
  func posts() throws {
    let twitter = { (number: Int) in Samples.status(#""full_text":"t""#, id: "\(number)") }
    #expect(try Samples.fetched(list(2000, twitter)).page.entries.count == 2000)
    refuses(list(2001, twitter), by: Samples.twitter)
    refuses(list(150_000) { _ in "1" }, by: Samples.twitter)

    let mastodon = { (number: Int) in
      #"{"id":"\#(number)","created_at":"2026-11-20T12:00:00.000Z","content":"t","account":{"id":"1","acct":"a"}}"#
    }
    let server = MastodonSamples.mastodon
    #expect(try Samples.fetched(list(2000, mastodon), TimelineQuery(count: 40), by: server).page.entries.count == 2000)
    refuses(list(2001, mastodon), by: server)

    refuses(#"{"data":\#(list(2001) { #"{"id":"\#($0)","text":"t"}"# }),"meta":{"result_count":2001}}"#, by: Samples.x)
    for kind in ["users", "tweets", "media"] {
      refuses(#"{"meta":{"result_count":0},"includes":{"\#(kind)":\#(list(2001) { _ in "{}" })}}"#, by: Samples.x)
    }
    refuses(#"{"statuses":\#(list(2001) { _ in "{}" })}"#, by: WeiboSamples.weibo)
  }
}
