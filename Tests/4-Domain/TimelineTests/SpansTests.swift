import TestSupport
import Testing
import Time

@testable import Timeline

/// A provider's timeline of the posts 1 to `newest`. The test requests pages as a client does, and the cursor is the
/// oldest id seen.
private struct FakeTimeline {
  var newest: Int
  var reach = Int.max

  func page(count: Int, below cursor: PageCursor? = nil, since: Int = 0) -> Page {
    let top = cursor.map { Int($0.text)! - 1 } ?? newest
    let floor = max(since, newest > reach ? newest - reach : 0)
    let ids = Array(stride(from: top, to: floor, by: -1).prefix(count))
    return Page(
      entries: ids.map(entry), older: ids.last.map { PageCursor(String($0)) },
      reaches: ids.isEmpty && since > 0 ? entry(since).mark : nil)
  }
}

private func entry(_ id: Int) -> Page.Entry {
  let author = User(id: "1", screenName: "a", name: "A")
  let name = PostID(String(id))
  return Page.Entry(
    post: Post(id: name, createdAt: Timestamp(seconds: Int64(id)), author: author, text: "post \(id)"),
    key: PostKey(decimal: name)!)
}

private func span(_ newest: Int, _ oldest: Int, older: Int? = nil) -> Span {
  Span(newest: entry(newest).mark, oldest: entry(oldest).mark, older: older.map { PageCursor(String($0)) })
}

@Suite struct SpansTests {
  @Test("known posts reach above a page that has no newer post")
  func reach() {
    let spans = Spans([span(10, 5), span(3, 1)])
    func page(_ ids: Int...) -> Page { Page(entries: ids.map(entry), older: nil) }
    #expect(spans.reach(above: page(10, 9)))
    #expect(spans.reach(above: page(4)))
    #expect(spans.reach(above: page()))
    #expect(!spans.reach(above: page(11, 10)))
    #expect(!Spans().reach(above: page(1)))
    #expect(Spans().reach(above: page()))
  }

  @Test("a page can state the range that it covers, separately from the positions of its posts")
  func stretch() {
    // Post 3 arrived in a later version, under the id 100. No post between 3 and 90 was requested.
    let marks = entry(90).mark...entry(100).mark
    let page = Page(entries: [entry(3), entry(90)], older: PageCursor("90"), stretch: marks)
    var spans = Spans([span(50, 1)])
    spans.insert(head: page)
    #expect(spans.all == [span(100, 90, older: 90), span(50, 1)])
    let below = Page(entries: [entry(2)], older: PageCursor("60"), stretch: entry(60).mark...entry(80).mark)
    spans.insert(below, continuing: PageCursor("90"))
    #expect(spans.all == [span(100, 60, older: 60), span(50, 1)])
  }

  @Test("the first page of a timeline is the first known range")
  func first() {
    var spans = Spans()
    spans.insert(head: FakeTimeline(newest: 100).page(count: 20))
    #expect(spans.all == [span(100, 81, older: 81)])
    #expect(spans.gaps == [])
  }

  @Test("a page that overlaps the known posts leaves no gap")
  func overlap() {
    var spans = Spans([span(100, 81, older: 81)])
    spans.insert(head: FakeTimeline(newest: 110).page(count: 20))
    #expect(spans.all == [span(110, 81, older: 81)])
  }

  @Test("a page above the known posts leaves a gap, which older pages fill")
  func gap() {
    let timeline = FakeTimeline(newest: 150)
    var spans = Spans([span(100, 81, older: 81)])
    spans.insert(head: timeline.page(count: 20, since: 95))
    #expect(spans.gaps == [Gap(after: entry(100).mark, before: entry(131).mark, cursor: PageCursor("131"))])
    spans.insert(timeline.page(count: 20, below: PageCursor("131"), since: 95), continuing: PageCursor("131"))
    #expect(spans.gaps == [Gap(after: entry(100).mark, before: entry(111).mark, cursor: PageCursor("111"))])
    spans.insert(timeline.page(count: 20, below: PageCursor("111"), since: 95), continuing: PageCursor("111"))
    #expect(spans.all == [span(150, 81, older: 81)])
  }

  @Test("an empty page above the requested lower bound closes the gap")
  func emptyAboveBound() {
    let timeline = FakeTimeline(newest: 150)
    var spans = Spans([span(150, 140, older: 140), span(100, 81, older: 81)])
    spans.insert(
      Page(entries: [], older: nil, reaches: entry(95).mark), continuing: PageCursor("140"))
    #expect(spans.all == [span(150, 81, older: 81)])
    #expect(timeline.page(count: 5, below: PageCursor("96"), since: 95).reaches == entry(95).mark)
  }

  @Test("an empty page beyond the posts that the provider still serves leaves a permanent gap")
  func outOfReach() {
    let timeline = FakeTimeline(newest: 1000, reach: 50)
    var spans = Spans([span(100, 81, older: 81)])
    spans.insert(head: timeline.page(count: 50))
    spans.insert(timeline.page(count: 50, below: PageCursor("951")), continuing: PageCursor("951"))
    #expect(spans.gaps == [Gap(after: entry(100).mark, before: entry(951).mark, cursor: nil)])
    #expect(spans.gaps.first?.isFillable == false)
  }

  @Test("a page requested with an unknown cursor covers only its own range")
  func staleCursor() {
    var spans = Spans([span(100, 81, older: 81)])
    spans.insert(FakeTimeline(newest: 100).page(count: 10, below: PageCursor("60")), continuing: PageCursor("60"))
    #expect(spans.all == [span(100, 81, older: 81), span(59, 50, older: 50)])
  }

  @Test("exactly the fetched posts count as known, regardless of the order of the pages", arguments: 0..<200)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var timeline = FakeTimeline(newest: 40)
    var spans = Spans()
    var fetched: Set<Int> = []
    for _ in 0..<30 {
      timeline.newest += Int.random(in: 0...15, using: &generator)
      let count = Int.random(in: 1...10, using: &generator)
      let gaps = spans.gaps
      let page: Page
      if let cursor = gaps.randomElement(using: &generator)?.cursor ?? spans.bottom?.older,
        Bool.random(using: &generator)
      {
        page = timeline.page(count: count, below: cursor)
        spans.insert(page, continuing: cursor)
      } else {
        page = timeline.page(count: count)
        spans.insert(head: page)
      }
      fetched.formUnion(page.entries.map { Int($0.post.id.text)! })
      let once = spans
      spans.insert(head: Page(entries: page.entries, older: page.older))
      #expect(spans.all.map(\.newest) == once.all.map(\.newest), "inserting a page again changes nothing")
      let known = spans.all.flatMap { Int($0.oldest.id.text)!...Int($0.newest.id.text)! }
      #expect(Set(known) == fetched)
      #expect(known.count == fetched.count, "spans do not overlap")
      #expect(spans.all == spans.all.sorted { $0.newest > $1.newest })
    }
  }

  @Test("a page that ends at the end of the timeline does not begin the search for older posts again")
  func endOfTimeline() {
    var spans = Spans([span(30, 1)])
    spans.insert(head: FakeTimeline(newest: 35).page(count: 35))
    #expect(spans.all == [span(35, 1)])
    // Above a gap, the same page shows where to continue.
    spans = Spans([span(90, 60), span(30, 1)])
    spans.insert(head: FakeTimeline(newest: 95).page(count: 36))
    #expect(spans.all == [span(95, 60, older: 60), span(30, 1)])
  }
}
