import HomelineOAuth
import Testing
import Time
import Timeline

@testable import Providers

@Suite struct WeiboPageTests {
  private func page(
    _ ids: [String], next: String = "0", total: String = "50", _ query: TimelineQuery = TimelineQuery(count: 100)
  ) throws -> Page {
    try WeiboSamples.page(
      WeiboSamples.timeline(ids.map { WeiboSamples.status($0) }, next: next, total: total), query
    ).page
  }

  private static let between = TimelineQuery(
    older: PageCursor("5230000000000100"), since: Samples.mark("5220000000000000"), count: 100)
  private static let below = TimelineQuery(older: PageCursor("5230000000000100"), count: 100)

  @Test("the next page begins at the oldest id minus one, because max_id is inclusive")
  func cursor() throws {
    let page = try page(["5230000000000200", "5230000000000000", "5230000000000100"], next: "5230000000000100")
    #expect(page.entries.map(\.post.id.text) == ["5230000000000200", "5230000000000100", "5230000000000000"])
    #expect(page.older == PageCursor("5229999999999999"))
    #expect(try self.page(["9223372036854775808"]).older == PageCursor("9223372036854775807"))
  }

  @Test("a short Weibo page is not necessarily the last one and proves nothing")
  func shortPage() throws {
    let page = try page(["5230000000000000"], total: "50", Self.between)
    #expect(page.older == PageCursor("5229999999999999") && page.reaches == nil)
  }

  @Test("a page without posts continues at Weibo's cursor if that is further down")
  func emptyPage() throws {
    for query in [Self.between, Self.below] {
      let page = try page([], next: "5229000000000000", query)
      #expect(page.older == PageCursor("5229000000000000") && page.reaches == nil)
    }
    #expect(try page([], next: #""5229000000000000""#, Self.below).older == PageCursor("5229000000000000"))
    #expect(try page([], next: "5230000000000100", Self.below).older == nil, "the cursor does not lead further down")
  }

  @Test("a gap remains open as long as Weibo counts posts that it does not return")
  func gap() throws {
    for total in ["50", "null"] {
      let page = try page([], total: total, Self.between)
      #expect(page.older == Self.between.older && page.reaches == nil)
    }
    #expect(try page([], total: "50", Self.below).older == nil, "paging must end")
  }

  @Test("only a total count of 0 proves that no posts are missing")
  func proof() throws {
    let page = try page([], total: "0", Self.between)
    #expect(page.reaches == Self.between.since && page.older == nil)
    #expect(try self.page([], next: "5229000000000000", total: "0", Self.between).reaches == nil)
    #expect(try self.page(["5230000000000000"], total: "0", Self.between).reaches == nil)
  }

  @Test("paging stops if a Weibo server ignores max_id")
  func ignoredCursor() throws {
    let page = try page(["5230000000000300", "5230000000000200"], total: "0", Self.between)
    #expect(page.entries.isEmpty && page.older == nil && page.reaches == nil)
    #expect(try self.page(["5230000000000100"], Self.below).entries.count == 1, "the cursor is the oldest id minus one")
  }

  @Test("ids above 2^53 keep every digit in every field that holds them")
  func largeIDs() throws {
    func status(_ ids: String) -> String {
      #"{\#(ids),"created_at":"\#(WeiboSamples.date)","text":"t","user":\#(WeiboSamples.friend)}"#
    }
    let body = WeiboSamples.timeline([
      status(#""id":9223372036854775999"#), status(#""id":1,"mid":"9007199254740995""#),
      status(#""id":9.007e15,"idstr":"9007199254740993""#), status(#""id":"9007199254740991","idstr":"""#),
    ])
    #expect(
      try WeiboSamples.page(body).page.entries.map(\.post.id.text) == [
        "9223372036854775999", "9007199254740995", "9007199254740993", "9007199254740991",
      ])
  }

  @Test("posts without an id, a time or an author are only counted, and the rest of the page is kept")
  func skipped() throws {
    let body = WeiboSamples.timeline([
      #"{"idstr":"9","created_at":"\#(WeiboSamples.date)","text":"no author"}"#,
      #"{"idstr":"8","created_at":"\#(WeiboSamples.date)","text":"trimmed","user":1000000002}"#,
      #"{"idstr":"7","text":"no time","user":\#(WeiboSamples.friend)}"#, "null", "5", "[]",
      #"{"idstr":"abc","created_at":"\#(WeiboSamples.date)","user":\#(WeiboSamples.friend)}"#, WeiboSamples.status("6"),
    ])
    let fetched = try WeiboSamples.page(body)
    #expect(fetched.page.entries.map(\.post.id.text) == ["6"] && fetched.skipped == 7)
  }

  @Test("a first Weibo page of unreadable posts is an error, not an empty timeline")
  func unreadable() throws {
    let body = WeiboSamples.timeline(["{}", #"{"idstr":"5230000000000000"}"#])
    let error = #expect(throws: ProviderFailure.self) { try WeiboSamples.page(body) }
    #expect(error == .unreadable("None of the 2 posts in the response could be read."))
    let fetched = try WeiboSamples.page(body, Self.between)
    #expect(fetched.page.older == PageCursor("5229999999999999") && fetched.page.reaches == nil)
  }

  @Test("a Weibo page truncated at any byte is refused")
  func truncation() throws {
    let body = Array(WeiboSamples.timeline([WeiboSamples.whole], next: "5").utf8)
    for length in 0..<body.count {
      let response = ProviderResponse(
        status: 200, body: Array(body.prefix(length)), receivedAt: Samples.now, hiding: .nothing
      )
      #expect(throws: ProviderFailure.self) {
        try WeiboSamples.weibo.page(from: response, for: TimelineQuery(count: 5))
      }
    }
    #expect(try WeiboSamples.page(String(decoding: body, as: UTF8.self)).page.entries.count == 1)
  }

  @Test("a response with both posts and an error is a refusal")
  func errorBeside() {
    let error = #expect(throws: ProviderFailure.self) {
      try WeiboSamples.page(#"{"statuses":[],"total_number":0,"error":"expired_token","error_code":"21327"}"#)
    }
    #expect(error?.problem.code == .notAuthorised)
  }
}
