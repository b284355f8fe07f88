import Testing
import Time
import Timeline

@testable import Providers

@Suite struct XPageTests {
  private func fetched(_ body: String, since: Int64? = nil, older: Int64? = nil, count: Int = 100) throws
    -> PageResponse.Fetched
  {
    try XSamples.fetched(
      body,
      TimelineQuery(
        older: older.map { PageCursor(XSamples.id($0)) }, since: since.map { XSamples.mark($0) }, count: count))
  }

  @Test("X's posts are sorted newest first, counted for billing, and paged from the oldest post")
  func plain() throws {
    let fetched = try fetched(XSamples.page([10, 30, 20]))
    #expect(fetched.page.entries.map(\.post.text) == ["t10", "t20", "t30"])
    #expect(fetched.page.older?.text == XSamples.id(30))
    #expect(fetched.delivered.countOfPosts == 3 && fetched.skipped == 0 && fetched.etag == nil)
    #expect(
      fetched.page.entries[0].post.createdAt == Timestamp(seconds: Samples.now.seconds - 10),
      "the post's id contains its time")
  }

  @Test(
    "a response without data is an empty page, not an error",
    arguments: [#"{"meta":{"result_count":0}}"#, #"{"data":[]}"#])
  func empty(body: String) throws {
    let fetched = try fetched(body)
    #expect(fetched.page.entries.isEmpty && fetched.page.older == nil && fetched.delivered.countOfPosts == 0)
    #expect(
      try self.fetched(body, since: 100).page.reaches == XSamples.mark(100), "there is no post above the known post")
  }

  @Test("included posts and users are counted for billing")
  func billed() throws {
    let body = #"""
      {"data":[{"id":"2000000000000000000","text":"a"}],"includes":{"users":[{"id":"1"}],"tweets":[{"id":"3","text":"b"},{"odd":true}],
      "posts":[{"id":"4","text":"c"}]}}
      """#
    let delivered = try fetched(body).delivered
    #expect(
      delivered
        == Delivered(posts: ["2000000000000000000", "3", "4"], users: ["1"], namelessPosts: 1, namelessUsers: 0))
  }

  @Test("a page with fewer posts than requested and no next token is complete down to the known post")
  func proof() throws {
    #expect(try fetched(XSamples.page([10]), since: 100).page.reaches == XSamples.mark(100))
    #expect(try fetched(XSamples.page([10, 20]), since: 100, count: 2).page.reaches == nil, "the page is full")
    let next = #"{"result_count":1,"next_token":"7140dibdnow9c7made0up"}"#
    #expect(try fetched(XSamples.page([10], meta: next), since: 100).page.reaches == nil)
  }

  @Test("a next token that leads to an empty page proves nothing and does not repeat forever")
  func nextTokenToNothing() throws {
    let meta = #"{"result_count":0,"next_token":"same"}"#
    let page = try fetched(XSamples.page([], meta: meta), since: 100, older: 50).page
    #expect(page.entries.isEmpty && page.older == nil && page.reaches == nil)
  }

  @Test("a wrong result_count is ignored", arguments: [0, 7])
  func lyingCount(count: Int) throws {
    let page = try fetched(XSamples.page([10], meta: #"{"result_count":\#(count)}"#), since: 100).page
    #expect(page.entries.count == 1 && page.reaches == nil && page.older?.text == XSamples.id(10))
    let empty = try fetched(XSamples.page([], meta: #"{"result_count":3}"#), since: 100).page
    #expect(empty.entries.isEmpty && empty.reaches == nil)
  }

  @Test("an empty response for a period beyond X's seven days proves nothing")
  func beyondReach() throws {
    let day: Int64 = 86_400
    #expect(try fetched(XSamples.page([]), since: 6 * day, older: 100).page.reaches != nil)
    #expect(try fetched(XSamples.page([]), since: 8 * day, older: 100).page.reaches == nil)
  }

  @Test("paging stops at a server that ignores until_id")
  func ignoredUntil() throws {
    let page = try fetched(XSamples.page([10, 20]), since: 100, older: 20).page
    #expect(page.entries.isEmpty && page.older == nil && page.reaches == nil)
  }

  @Test("a page with both posts and errors is kept, and a page with only errors proves nothing")
  func partialErrors() throws {
    let errors =
      #"[{"title":"Not Found Error","detail":"Could not find it.","type":"https://api.x.com/2/problems/resource-not-found"}]"#
    #expect(try fetched(XSamples.page([10], errors: errors)).page.entries.count == 1)
    #expect(try fetched(XSamples.page([], errors: errors), since: 100).page.reaches == nil)
  }

  @Test("an error response without a page is a refusal, even with status 200")
  func refusalWithOK() {
    let error = #expect(throws: ProviderFailure.self) {
      try XSamples.fetched(#"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#)
    }
    #expect(error?.problem.code == .rateLimited)
  }

  @Test("an edited post takes the position of the original post, with its own id and text")
  func edited() throws {
    let (first, second) = (XSamples.id(900), XSamples.id(10))
    let body =
      #"{"data":[{"id":"\#(second)","text":"new","edit_history_tweet_ids":["\#(first)","\#(second)"]}],"#
      + #""meta":{"result_count":1}}"#
    let entry = try #require(try fetched(body).page.entries.first)
    #expect(entry.key == PostKey(decimal: PostID(first)))
    #expect(entry.post.id.text == second && entry.post.text == "new")
  }

  @Test("if a page contains two versions of a post, only the newer version is shown", arguments: [false, true])
  func twoVersions(isReversed: Bool) throws {
    let (first, second) = (XSamples.id(900), XSamples.id(10))
    let history = #""edit_history_post_ids":["\#(first)","\#(second)"]"#
    let versions = [#"{"id":"\#(second)","text":"new",\#(history)}"#, #"{"id":"\#(first)","text":"old",\#(history)}"#]
    let list = (isReversed ? versions.reversed() : versions).joined(separator: ",")
    let page = try fetched(#"{"data":[\#(list)]}"#).page
    #expect(page.entries.map(\.post.text) == ["new"])
  }

  @Test("an edited old post does not extend the range that the page covers")
  func editedStretch() throws {
    let (first, second) = (XSamples.id(1500), XSamples.id(5))
    let body =
      #"{"data":[{"id":"\#(second)","text":"new","edit_history_tweet_ids":["\#(first)","\#(second)"]},"#
      + #"{"id":"\#(XSamples.id(10))","text":"t"}],"meta":{"result_count":2,"next_token":"x"}}"#
    let page = try fetched(body, since: 2000, count: 2).page
    #expect(page.stretch == XSamples.mark(10)...XSamples.mark(5))
    #expect(page.older?.text == XSamples.id(10))
    var spans = Spans([Span(newest: XSamples.mark(1200), oldest: XSamples.mark(2000), older: nil)])
    spans.insert(head: page)
    #expect(spans.gaps.map { [$0.after.id.text, $0.before.id.text] } == [[XSamples.id(1200), XSamples.id(10)]])
    #expect(spans.top?.newest == XSamples.mark(5), "the next request is for posts above the newest version")
  }

  @Test("posts without a numeric id, text or time are only counted, and the rest of the page is kept")
  func skipped() throws {
    let body =
      #"{"data":[{"id":"x1","text":"a"},{"id":"7"},{"text":"b"},null,5,{"id":"8","text":"too old an id for a time"},"#
      + #"{"id":"\#(XSamples.id(9))","text":"good"}]}"#
    let fetched = try fetched(body)
    #expect(fetched.page.entries.map(\.post.text) == ["good"])
    #expect(fetched.skipped == 6 && fetched.delivered.countOfPosts == 7)
  }

  @Test("a first page of unreadable X posts is an error, not an empty timeline")
  func unreadable() {
    let error = #expect(throws: ProviderFailure.self) { try XSamples.fetched(#"{"data":[{},{}]}"#) }
    #expect(error == .unreadable("None of the 2 posts in the response could be read."))
  }

  @Test(
    "a response that is not a timeline is an error",
    arguments: [#"{"data":{"id":"1"}}"#, "[]", "{}", #"{"data":["#, "", "<html>hello</html>", #"{"data":[]} x"#])
  func noTimeline(body: String) {
    #expect(throws: ProviderFailure.self) { try XSamples.fetched(body) }
  }

  @Test("an X page truncated at any byte is refused")
  func prefixes() {
    let body = Array(XSamples.page([10, 20], meta: #"{"result_count":2,"next_token":"x"}"#).utf8)
    for length in 0..<body.count {
      #expect(throws: ProviderFailure.self) {
        try XSamples.fetched(String(decoding: body.prefix(length), as: UTF8.self))
      }
    }
  }
}
