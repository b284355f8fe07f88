import Testing
import Timeline

@testable import Providers

@Suite struct PageTests {
  private func page(_ ids: [String], _ query: TimelineQuery = TimelineQuery(count: 200)) throws -> Page {
    let posts = ids.map { Samples.status(#""full_text":"t""#, id: $0) }
    return try Samples.fetched("[" + posts.joined(separator: ",") + "]", query).page
  }

  @Test("ids above 2^53 keep every digit, as strings and as numbers")
  func largeIDs() throws {
    let body = """
      [{"id":1850000000025165849,"created_at":"\(Samples.date)","full_text":"a"},
       {"id":9007199254740993,"id_str":"9007199254740993","created_at":"\(Samples.date)","full_text":"b"},
       {"id":9007199254740992,"created_at":"\(Samples.date)","full_text":"c"}]
      """
    let page = try Samples.fetched(body).page
    #expect(page.entries.map(\.post.id.text) == ["1850000000025165849", "9007199254740993", "9007199254740992"])
    #expect(page.older == PageCursor("9007199254740991"))
  }

  @Test("a numeric id is used if there is no id_str, and an empty id_str is ignored")
  func numericIDs() throws {
    let body = """
      [{"id":42,"id_str":"","created_at":"\(Samples.date)","text":"a"},\
      {"id":41,"id_str":null,"created_at":"\(Samples.date)","text":"b"}]
      """
    #expect(try Samples.fetched(body).page.entries.map(\.post.id.text) == ["42", "41"])
  }

  static let predecessors: [(id: String, older: String?)] = [
    ("1", nil), ("10", "9"), ("1000", "999"), ("1234", "1233"), ("18446744073709551616", "18446744073709551615"),
    ("100000000000000000000000000000", "99999999999999999999999999999"), ("0042", "41"), ("0", nil),
  ]

  @Test("the next page begins at the oldest id minus one, however long it is", arguments: predecessors)
  func cursor(id: String, older: String?) throws {
    #expect(try page([id]).older?.text == older)
  }

  @Test("the oldest id on a page determines the cursor, wherever it appears in the response")
  func unsortedPage() throws {
    let page = try page(["30", "9", "200"])
    #expect(page.entries.map(\.post.id.text) == ["200", "30", "9"])
    #expect(page.older == PageCursor("8"))
  }

  @Test("paging stops at an empty page")
  func emptyPage() throws {
    let page = try page([])
    #expect(page.entries.isEmpty && page.older == nil && page.reaches == nil)
  }

  @Test("only an empty page proves that there are no posts above the requested position")
  func reach() throws {
    let since = Samples.mark("7")
    #expect(try page([], TimelineQuery(since: since, count: 200)).reaches == since)
    #expect(try page(["8"], TimelineQuery(since: since, count: 200)).reaches == nil)
    #expect(try page([], TimelineQuery(count: 200)).reaches == nil)
  }

  @Test("with non-numeric ids, paging uses the oldest id itself, and the repeated post is dropped")
  func opaqueIDs() throws {
    func status(_ id: String, _ second: String) -> String {
      #"{"id":"\#(id)","created_at":"2026-11-20T15:59:\#(second).250Z","text":"t"}"#
    }
    let first = try Samples.fetched("[\(status("zz", "30")),\(status("é1", "20")),\(status("a9", "20"))]").page
    #expect(first.entries.map(\.post.id.text) == ["zz", "a9", "é1"])
    #expect(first.older == PageCursor("a9"))
    #expect(first.entries.allSatisfy { $0.key.text.utf8.allSatisfy { $0 < 128 } })
    let second = try Samples.fetched(
      "[\(status("a9", "20")),\(status("b1", "10"))]", TimelineQuery(older: PageCursor("a9"), count: 2)
    ).page
    #expect(second.entries.map(\.post.id.text) == ["b1"])
    #expect(second.older == PageCursor("b1"))
    let last = try Samples.fetched(
      "[\(status("b1", "10"))]", TimelineQuery(older: PageCursor("b1"), since: Samples.mark("1"), count: 2)
    ).page
    #expect(last.entries.isEmpty && last.older == nil && last.reaches == Samples.mark("1"))
  }

  @Test("a post has the same key on every page, even without a numeric id")
  func stableKeys() throws {
    let post = #"{"id":"x1","created_at":"2026-11-20T15:59:20Z","text":"t"}"#
    let other = #"{"id":"x2","created_at":"2026-11-20T15:59:20Z","text":"t"}"#
    let key = try Samples.fetched("[\(post),\(other)]").page.entries.first { $0.post.id.text == "x1" }?.key
    #expect(key == (try Samples.fetched("[\(other),\(post)]").page.entries.first { $0.post.id.text == "x1" }?.key))
    #expect(key == (try Samples.fetched("[\(post)]").page.entries[0].key))
  }

  @Test("paging stops at a server that ignores max_id")
  func ignoredCursor() throws {
    let since = Samples.mark("1")
    let page = try page(["50", "40"], TimelineQuery(older: PageCursor("39"), since: since, count: 200))
    #expect(page.entries.isEmpty && page.older == nil)
    #expect(page.reaches == nil, "posts that were not requested prove nothing")
  }

  @Test("the page includes the post whose id equals max_id")
  func inclusiveCursor() throws {
    #expect(try page(["39", "38"], TimelineQuery(older: PageCursor("39"), count: 2)).entries.count == 2)
  }

  @Test("posts without an id or a time are only counted, and the rest of the page is kept")
  func skippedPosts() throws {
    let body = """
      [{"id_str":"9","full_text":"no time"}, {"created_at":"\(Samples.date)","full_text":"no id"}, null, 5, "x", [],
       {"id_str":"8","created_at":"yesterday"}, {"id_str":"7","created_at":"\(Samples.date)","full_text":"good"},
       {"id_str":"6","created_at":"Thu Jan 01 00:00:00 +0000 1969"}]
      """
    let fetched = try Samples.fetched(body)
    #expect(fetched.page.entries.map(\.post.id.text) == ["7"])
    #expect(fetched.skipped == 8)
    #expect(fetched.page.older == PageCursor("5"), "an unreadable post is not requested again")
  }

  @Test("a first page of unreadable posts is an error, not an empty timeline")
  func unreadablePosts() {
    let error = #expect(throws: ProviderFailure.self) { try Samples.fetched(#"[{"id_str":"9"},{}]"#) }
    #expect(error == .unreadable("None of the 2 posts in the response could be read."))
  }

  @Test("an older page of unreadable posts is skipped if it contains a position to continue from")
  func unreadableOlderPosts() throws {
    let query = TimelineQuery(older: PageCursor("10"), since: Samples.mark("1"), count: 200)
    let fetched = try Samples.fetched(#"[{"id_str":"9"},{"id_str":"8"}]"#, query)
    #expect(fetched.page.older == PageCursor("7") && fetched.page.reaches == nil && fetched.skipped == 2)
    #expect(throws: ProviderFailure.self) { try Samples.fetched("[{}]", query) }
  }

  @Test("a page is sorted newest first and contains each post only once")
  func doubledPosts() throws {
    #expect(try page(["5", "5", "6"]).entries.map(\.post.id.text) == ["6", "5"])
  }

  @Test("a response with status 304 means an unchanged timeline, but only if an ETag was sent")
  func notModified() throws {
    let response = Samples.respond("", status: 304)
    let unchanged = try Samples.twitter.page(from: response, for: TimelineQuery(count: 9, etag: "x"))
    guard case .notModified = unchanged else { throw Samples.NotAPage() }
    #expect(throws: ProviderFailure.self) { try Samples.twitter.page(from: response, for: TimelineQuery(count: 9)) }
  }

  @Test("the ETag of a response is passed on unchanged")
  func tag() throws {
    let response = Samples.respond("[]", headers: ["etag": " W/\"abc\" "])
    guard case .page(let fetched) = try Samples.twitter.page(from: response, for: TimelineQuery(count: 9)) else {
      throw Samples.NotAPage()
    }
    #expect(fetched.etag == "W/\"abc\"")
  }
}
