import Testing
import Timeline

@testable import Providers

/// Posts that Weibo reports as deleted.
@Suite struct WeiboDeletedTests {
  private func gone(_ id: String, _ mark: String = #""1""#) -> String {
    #"{"created_at":"\#(WeiboSamples.date)","id":\#(id),"idstr":"\#(id)","text":"抱歉，此微博已被作者删除。","deleted":\#(mark)}"#
  }

  @Test(
    "a deleted Weibo post is reported as deleted, and its position does not become a gap",
    arguments: [#""1""#, "1", "true"])
  func deleted(mark: String) throws {
    let body = WeiboSamples.timeline([gone("300", mark), WeiboSamples.status("200"), gone("100", mark)])
    let fetched = try WeiboSamples.page(body)
    #expect(fetched.page.entries.map(\.post.id.text) == ["200"] && fetched.skipped == 0)
    #expect(fetched.page.deleted == [Samples.mark("300"), Samples.mark("100")])
    #expect(fetched.page.stretch == Samples.mark("100")...Samples.mark("300"))
    #expect(fetched.page.older == PageCursor("99"))
  }

  @Test("a post marked as deleted counts as deleted even if it has an author")
  func withAuthor() throws {
    let page = try WeiboSamples.page(WeiboSamples.timeline([WeiboSamples.status("200", #""deleted":"1""#)])).page
    #expect(page.entries.isEmpty && page.deleted == [Samples.mark("200")])
  }

  @Test(
    "the member `deleted` is ignored unless its value is 1",
    arguments: [#""0""#, "0", "false", "null", #""""#, "[1]", #"{"deleted":"1"}"#, "2"])
  func otherValues(mark: String) throws {
    let body = WeiboSamples.timeline([WeiboSamples.status("200", #""text":"t","deleted":\#(mark)"#)])
    let page = try WeiboSamples.page(body).page
    #expect(page.entries.count == 1 && page.deleted.isEmpty)
  }

  @Test("a post that reposts a deleted post is kept")
  func original() throws {
    let members = #""text":"转发微博","retweeted_status":\#(gone("100"))"#
    let page = try WeiboSamples.page(WeiboSamples.timeline([WeiboSamples.status("200", members)])).page
    #expect(page.entries.count == 1 && page.deleted.isEmpty)
  }

  @Test("a page that contains only deleted posts is valid")
  func alone() throws {
    let fetched = try WeiboSamples.page(WeiboSamples.timeline([gone("200"), gone("100")]))
    #expect(fetched.page.entries.isEmpty && fetched.page.deleted.count == 2)
    #expect(fetched.page.stretch == Samples.mark("100")...Samples.mark("200"))
  }

  @Test("a deleted post outside the requested range is ignored")
  func notAsked() throws {
    let query = TimelineQuery(older: PageCursor("150"), count: 100)
    let page = try WeiboSamples.page(WeiboSamples.timeline([gone("200"), gone("100")]), query).page
    #expect(page.deleted == [Samples.mark("100")])
  }

  @Test("a deleted post without an id is counted as unreadable")
  func nameless() throws {
    let nameless = #"{"text":"抱歉","deleted":"1"}"#
    let fetched = try WeiboSamples.page(WeiboSamples.timeline([nameless, WeiboSamples.status("200")]))
    #expect(fetched.page.deleted.isEmpty && fetched.skipped == 1)
  }
}
