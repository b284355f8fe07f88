import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Testing
import Time
import Timeline

@testable import Providers

@Suite struct MastodonPageTests {
  private typealias Kind = MastodonSamples.Kind
  private static let sortable: [MastodonSamples.Kind] = [.mastodon, .goToSocial, .akkoma]

  private func fetched(
    _ numbers: [Int], _ kind: MastodonSamples.Kind = .mastodon, since: Int? = nil, older: Int? = nil, count: Int = 40,
    status: Int = 200, link: String? = nil
  ) throws -> PageResponse.Fetched {
    try MastodonSamples.fetched(
      MastodonSamples.page(numbers, kind),
      TimelineQuery(
        older: older.map { PageCursor(kind.id($0)) }, since: try since.map { try kind.mark($0) }, count: count),
      status: status, link: link)
  }

  @Test(
    "the first page is sorted newest first, and the next page begins below its oldest post", arguments: Kind.allCases)
  func first(kind: MastodonSamples.Kind) throws {
    let fetched = try fetched([30, 20, 10], kind)
    #expect(fetched.page.entries.map(\.post.text) == ["t30", "t20", "t10"])
    #expect(fetched.page.older?.text == kind.id(10) && fetched.page.reaches == nil && !fetched.hasNewer)
  }

  @Test("position keys from ids of the same kind increase with newer posts", arguments: Kind.allCases)
  func places(kind: MastodonSamples.Kind) throws {
    let marks = try [1, 2, 9, 10, 11, 99, 100, 1000].map { try kind.mark($0) }
    #expect(marks == marks.sorted())
    #expect(Set(marks.map(\.key)).count == marks.count)
  }

  @Test("position keys stay in order even if a server switches to a different kind of id")
  func kinds() throws {
    let marks = try [.mastodon, .snac, .goToSocial, .akkoma].map { (kind: MastodonSamples.Kind) in try kind.mark(5) }
    #expect(marks == marks.sorted())
    let longer = try MastodonSamples.fetched(
      "[\(MastodonSamples.status(id: "99")),\(MastodonSamples.status(id: "100"))]")
    #expect(longer.page.entries.map(\.post.id.text) == ["100", "99"], "ids are compared by length, then by digits")
  }

  @Test("a page read upwards joins the known posts if the server supports min_id", arguments: sortable)
  func upwards(kind: MastodonSamples.Kind) throws {
    let link = MastodonSamples.link(next: "max_id=\(kind.id(6))", prev: "min_id=\(kind.id(7))")
    let fetched = try fetched([7, 6], kind, since: 5, link: link)
    let (known, newest) = (try kind.mark(5), try kind.mark(7))
    #expect(fetched.page.reaches == known && !fetched.hasNewer)
    var spans = Spans([Span(newest: known, oldest: try kind.mark(1), older: PageCursor("deep"))])
    spans.insert(head: fetched.page)
    #expect(spans.gaps.isEmpty && spans.top?.newest == newest && spans.bottom?.older?.text == "deep")
  }

  @Test("after a full page read upwards, the next page begins at its newest post")
  func fullUpwards() throws {
    let link = MastodonSamples.link(prev: "min_id=\(Kind.mastodon.id(45))")
    #expect(try fetched(Array(6...45), since: 5, link: link).hasNewer)
    #expect(try fetched(Array(6...25), since: 5, link: link).hasNewer, "some servers reduce the limit to 20")
    #expect(try fetched(Array(6...24), since: 5, link: link).hasNewer == false)
    #expect(try fetched(Array(6...8), since: 5, count: 3, link: link).hasNewer)
  }

  private static let misunderstood: [(link: String?, numbers: [Int])] = [
    (nil, [9, 8]),
    (MastodonSamples.link(prev: "since_id=\(Kind.mastodon.id(9))"), [9, 8]),
    (MastodonSamples.link(prev: "min_id=\(Kind.mastodon.id(9))", at: "https://else.example"), [9, 8]),
    (MastodonSamples.link(prev: "min_id=\(Kind.mastodon.id(9))", at: "http://social.example"), [9, 8]),
    (MastodonSamples.link(prev: "min_id=\(Kind.mastodon.id(9))"), [9, 8, 5]),
    (#"<https://social.example/x?min_id=1>; rel="next""#, [9, 8]), ("<nonsense", [9, 8]), ("<:>;rel=prev", [9, 8]),
  ]

  @Test(
    "unless the server is known to support min_id, a page counts as the newest one and may leave a gap",
    arguments: misunderstood)
  func notUpwards(link: String?, numbers: [Int]) throws {
    let fetched = try fetched(numbers, since: 5, link: link)
    #expect(fetched.page.reaches == nil && !fetched.hasNewer)
    #expect(fetched.page.older?.text == Kind.mastodon.id(numbers.min()!))
  }

  @Test("a page with unordered ids never joins the known posts, regardless of the Link header")
  func snacUpwards() throws {
    let fetched = try fetched(
      [9, 8], .snac, since: 5, link: MastodonSamples.link(prev: "min_id=\(Kind.snac.id(9))"))
    #expect(fetched.page.reaches == nil && fetched.page.older?.text == Kind.snac.id(8))
  }

  @Test("an empty older page proves that the timeline is complete only if ids are ordered", arguments: Kind.allCases)
  func emptyBelow(kind: MastodonSamples.Kind) throws {
    let page = try fetched([], kind, since: 5, older: 9).page
    #expect(page.entries.isEmpty && page.older == nil)
    let known = try kind.mark(5)
    #expect(page.reaches == (kind == .snac ? nil : known), "snac may have deleted the post in the cursor")
  }

  @Test("an empty first page means that the timeline is empty")
  func empty() throws {
    let page = try fetched([]).page
    #expect(page.entries.isEmpty && page.older == nil && page.reaches == nil)
    #expect(try fetched([], since: 5).page.reaches == nil)
  }

  @Test("an empty page from a timeline that the server is still building changes nothing")
  func partialEmpty() throws {
    let page = try fetched([], since: 5, older: 9, status: 206).page
    #expect(page.entries.isEmpty && page.reaches == nil && page.older?.text == Kind.mastodon.id(9))
    var spans = Spans([
      Span(
        newest: try Kind.mastodon.mark(12), oldest: try Kind.mastodon.mark(9), older: PageCursor(Kind.mastodon.id(9))),
      Span(newest: try Kind.mastodon.mark(5), oldest: try Kind.mastodon.mark(1), older: nil),
    ])
    let before = spans
    spans.insert(page, continuing: PageCursor(Kind.mastodon.id(9)))
    #expect(spans == before)
    spans.insert(head: try fetched([], since: 5, status: 206).page)
    #expect(spans == before)
  }

  @Test("posts from a timeline that the server is still building are kept, with gaps between them")
  func partial() throws {
    let link = MastodonSamples.link(prev: "min_id=\(Kind.mastodon.id(9))")
    let head = try fetched([9, 7], since: 5, status: 206, link: link)
    #expect(head.page.entries.count == 2 && head.page.reaches == nil && !head.hasNewer)
    var spans = Spans([Span(newest: try Kind.mastodon.mark(5), oldest: try Kind.mastodon.mark(1), older: nil)])
    spans.insert(head: head.page)
    let gap = Gap(
      after: try Kind.mastodon.mark(5), before: try Kind.mastodon.mark(9), cursor: PageCursor(Kind.mastodon.id(9)))
    #expect(spans.gaps == [gap])
    let before = spans
    let below = try fetched([8, 7], since: 5, older: 9, status: 206).page
    #expect(below.entries.count == 2)
    spans.insert(below, continuing: PageCursor(Kind.mastodon.id(9)))
    #expect(spans == before, "the page is requested again")
    spans.insert(try fetched([8, 7, 6], since: 5, older: 9).page, continuing: PageCursor(Kind.mastodon.id(9)))
    spans.insert(try fetched([], since: 5, older: 6).page, continuing: PageCursor(Kind.mastodon.id(6)))
    #expect(spans.gaps.isEmpty)
  }

  @Test("paging stops at a Mastodon server that ignores max_id", arguments: Kind.allCases)
  func ignoredCursor(kind: MastodonSamples.Kind) throws {
    let page = try fetched(kind == .snac ? [8] : [9, 8], kind, since: 1, older: 8).page
    #expect(page.entries.isEmpty && page.older == nil && page.reaches == nil)
  }

  @Test("paging goes up from a known post and down from a cursor, and a gap is filled from the top")
  func requests() throws {
    func query(_ query: TimelineQuery) -> String? { MastodonSamples.mastodon.pageRequest(for: query).address.query }
    let since = try Kind.mastodon.mark(5)
    #expect(query(TimelineQuery(count: 200)) == "limit=40")
    #expect(query(TimelineQuery(since: since, count: 40)) == "limit=40&min_id=\(since.id)")
    #expect(query(TimelineQuery(older: PageCursor("9"), count: 5)) == "limit=5&max_id=9")
    #expect(
      query(TimelineQuery(older: PageCursor("9"), since: since, count: 0, etag: "x"))
        == "limit=1&max_id=9&since_id=\(since.id)")
    let unsorted = try Kind.snac.mark(5)
    #expect(
      query(TimelineQuery(older: PageCursor("ab"), since: unsorted, count: 1)) == "limit=1&max_id=ab",
      "the page runs on into what is known")
    let request = MastodonSamples.mastodon.pageRequest(for: TimelineQuery(count: 1))
    #expect(request.url == "https://social.example/api/v1/timelines/home?limit=1" && request.headers.fields.isEmpty)
    #expect(
      MastodonSamples.mastodon.userRequest()?.url == "https://social.example/api/v1/accounts/verify_credentials")
  }

  @Test("boosts of deleted posts are left out silently; unreadable posts are counted")
  func left() throws {
    let hollow = MastodonSamples.status(#""content":"","reblog":null,"media_attachments":[],"poll":null"#, id: "5")
    let fetched = try MastodonSamples.fetched("[\(MastodonSamples.status(id: "9")),\(hollow),{\"id\":\"7\"},null,3]")
    #expect(fetched.page.entries.map(\.post.id.text) == ["9"] && fetched.skipped == 3)
    #expect(fetched.page.older?.text == "5", "it still shows where to continue")
    let none = try MastodonSamples.fetched("[\(hollow)]")
    #expect(none.page.entries.isEmpty && none.skipped == 0)
  }

  @Test("a page of unreadable posts is an error, not an empty timeline")
  func unreadable() {
    let error = #expect(throws: ProviderFailure.self) { try MastodonSamples.fetched("[{},7]") }
    #expect(error == .unreadable("None of the 2 posts in the response could be read."))
  }

  @Test("a page truncated at any byte is refused, and a page with invalid UTF-8 loses no post")
  func broken() throws {
    let body =
      Array(
        #"[{"id":"1","created_at":"2026-11-20T15:59:58.123456Z","account":\#(MastodonSamples.mira),"content":"<p>a"#
          .utf8)
      + [0xff, 0xc3] + Array(#"b\ud800c\u0000</p>"}]"#.utf8)
    for length in 0..<body.count {
      let response = ProviderResponse(
        status: 200, body: Array(body.prefix(length)), receivedAt: Samples.now, hiding: .nothing
      )
      #expect(throws: ProviderFailure.self) {
        try MastodonSamples.mastodon.page(from: response, for: TimelineQuery(count: 5))
      }
    }
    let response = ProviderResponse(status: 200, body: body, receivedAt: Samples.now, hiding: .nothing)
    guard case .page(let fetched) = try MastodonSamples.mastodon.page(from: response, for: TimelineQuery(count: 5))
    else {
      throw Samples.NotAPage()
    }
    #expect(fetched.page.entries[0].post.text == "a\u{fffd}\u{fffd}b\u{fffd}c\u{0}")
  }
}
