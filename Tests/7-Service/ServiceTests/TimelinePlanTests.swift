import Service
import TestSupport
import Testing
import Time
import Timeline

@testable import Accounts

/// A server with the posts 1 to `newest`, and the posts that a client gets to know by following the plan.
private struct Exchange {
  var newest: Int
  var reach = 800
  var pageSize = 20
  var spans = Spans()
  var known: Set<Int> = []
  /// The plan, which lives as long as the client's process.
  var plan: TimelinePlan?
  /// The cursors requested in all runs. No page may be requested twice, however often the process exits.
  var cursors: Set<PageCursor> = []
  var requests: [TimelinePlan.Request] = []

  func entry(_ id: Int) -> Page.Entry {
    let name = PostID(String(id))
    return Page.Entry(
      post: Post(
        id: name, createdAt: Timestamp(seconds: Int64(id)), author: User(id: "1", screenName: "a", name: "A"),
        text: "post \(id)"), key: PostKey(decimal: name)!)
  }

  func respond(_ request: TimelinePlan.Request) -> Page {
    let top = request.older.map { Int($0.text)! } ?? newest
    let since = request.since.map { Int($0.id.text)! } ?? 0
    let ids = Array(stride(from: top, to: max(since, newest - reach, 0), by: -1).prefix(request.count))
    return Page(
      entries: ids.map(entry), older: ids.last.map { PageCursor(String($0 - 1)) },
      reaches: ids.isEmpty ? request.since : nil)
  }

  /// - Parameter stopAfter: the process is killed after this many stored pages.
  mutating func refresh(
    wanted: Int = 100, since overlap: Int = 3, stopAfter: Int = .max, allowed: Int = .max, isExact: Bool = false
  ) {
    let since = spans.top.map { entry(max(Int($0.oldest.id.text)!, Int($0.newest.id.text)! - overlap)).mark }
    plan = plan ?? TimelinePlan(wanted: wanted, pageSize: pageSize, reach: reach, isExact: isExact)
    requests = []
    var request: TimelinePlan.Request? = plan!.newest(spans, since: since)
    while let asked = request, requests.count < min(allowed, plan!.longestRound) {
      requests.append(asked)
      if let older = asked.older { #expect(cursors.insert(older).inserted, "\(older) was requested more than once") }
      let depth = asked.older == nil ? 0 : known.count { $0 >= edge(above: asked.older!) }
      let page = plan!.proven(respond(asked), depth: depth)
      if let cursor = asked.older { spans.insert(page, continuing: cursor) } else { spans.insert(head: page) }
      known.formUnion(page.entries.map { Int($0.post.id.text)! })
      if requests.count == stopAfter {
        plan = nil
        return
      }
      let gap = TimelinePlan.gapToFill(in: spans)?.after
      let below = gap.flatMap { after in spans.all.first { $0.newest == after } }
      let bound = below.map { entry(max(Int($0.oldest.id.text)!, Int($0.newest.id.text)! - overlap)).mark }
      request = plan!.below(spans, known: known.count, overlap: bound)
    }
  }

  private func edge(above cursor: PageCursor) -> Int {
    spans.all.first { $0.older == cursor }.map { Int($0.oldest.id.text)! } ?? .max
  }
}

@Suite struct TimelinePlanTests {
  @Test("the first refresh fetches as many posts as are kept")
  func first() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    #expect(exchange.known == Set(901...1000))
    #expect(exchange.requests.count == 5)
    #expect(exchange.spans.all.count == 1)
  }

  @Test(
    "an exact first refresh requests only as many posts as are wanted, and later ones a full page",
    arguments: [(20, [20]), (200, [200]), (250, [200, 50])])
  func firstFill(wanted: Int, counts: [Int]) {
    var exchange = Exchange(newest: 1000, pageSize: 200)
    exchange.refresh(wanted: wanted, isExact: true)
    #expect(exchange.requests.map(\.count) == counts)
    exchange.newest = 1005
    exchange.refresh(wanted: wanted, isExact: true)
    #expect(exchange.requests.map(\.count) == [200])
  }

  @Test("a refresh with few new posts sends one request, starting from a known post")
  func delta() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    exchange.newest = 1005
    exchange.refresh()
    #expect(exchange.requests == [TimelinePlan.Request(older: nil, since: exchange.entry(997).mark, count: 20)])
    #expect(exchange.known == Set(901...1005))
  }

  @Test("a refresh without new posts sends one request and changes nothing")
  func nothing() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    let before = exchange.spans
    exchange.refresh()
    #expect(exchange.requests.count == 1)
    #expect(exchange.spans == before)
  }

  @Test("a refresh fetches several pages if there are more new posts than fit on one page")
  func gap() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    exchange.newest = 1065
    exchange.refresh()
    #expect(exchange.known == Set(901...1065))
    #expect(exchange.spans.gaps == [])
  }

  @Test("a refresh that stops after any page loses no posts, and the next refresh continues", arguments: 1...8)
  func interrupted(stopAfter: Int) {
    var exchange = Exchange(newest: 1000)
    exchange.refresh(stopAfter: stopAfter)
    exchange.newest = 1090
    exchange.refresh(stopAfter: stopAfter)
    exchange.refresh()
    exchange.refresh()
    #expect(exchange.spans.gaps == [])
    #expect(exchange.known.isSuperset(of: 991...1090))
  }

  @Test("an exhausted rate limit ends a refresh immediately, and the next one fills the gap")
  func limit() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    exchange.newest = 1060
    exchange.refresh(allowed: 1)
    #expect(exchange.requests.count == 1)
    #expect(exchange.spans.gaps.count == 1)
    exchange.refresh()
    #expect(exchange.spans.gaps == [])
    #expect(exchange.known == Set(901...1060))
  }

  @Test("a gap that the provider no longer serves remains, is marked unfillable, and is not requested again")
  func outOfReach() {
    var exchange = Exchange(newest: 1000, reach: 50)
    exchange.refresh()
    exchange.newest = 2000
    exchange.refresh()
    #expect(exchange.spans.gaps.map(\.isFillable) == [false])
    exchange.refresh()
    #expect(exchange.requests.count == 1)
  }

  @Test("a server with endless pages does not cause endless requests")
  func loop() {
    var exchange = Exchange(newest: 1000)
    let page = exchange.respond(TimelinePlan.Request(older: nil, since: nil, count: 20))
    var plan = TimelinePlan(wanted: 800, pageSize: 20, reach: 800)
    _ = plan.newest(exchange.spans, since: nil)
    exchange.spans.insert(head: page)
    var requests = 0
    while let request = plan.below(exchange.spans, known: 20), requests < 100 {
      requests += 1
      // The server returns the same page again, whatever was requested.
      exchange.spans.insert(page, continuing: request.older!)
    }
    #expect(requests <= 3)
  }

  @Test("the overlap of two refreshes finds late posts with older ids")
  func late() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    #expect(exchange.spans.top?.newest == exchange.entry(1000).mark)
    exchange.known.remove(999)
    exchange.newest = 1002
    exchange.refresh()
    #expect(exchange.known.contains(999))
  }

  @Test("a full page of known posts means that nothing is newer, and the next request starts at the newest post")
  func crowded() {
    let exchange = Exchange(newest: 30)
    let (top, since) = (exchange.entry(30).mark, exchange.entry(5).mark)
    let spans = Spans([Span(newest: top, oldest: exchange.entry(1).mark, older: nil)])
    var plan = TimelinePlan(wanted: 100, pageSize: 40, reach: 800)
    #expect(plan.newest(spans, since: since).since == since)
    plan.tookNewest(isFull: true, upTo: top, above: top)
    #expect(!plan.isBehind)
    #expect(plan.newest(spans, since: since).since == top)
    // A page that ends below the newest known post has not reached it.
    plan.tookNewest(isFull: true, upTo: exchange.entry(24).mark, above: top)
    #expect(plan.isBehind)
    plan.tookNewestWithoutBound()
    #expect(!plan.isBehind)
    plan.tookNewest(isFull: true, upTo: exchange.entry(31).mark, above: top)
    #expect(plan.isBehind)
    #expect(plan.newest(spans, since: exchange.entry(6).mark).since == exchange.entry(6).mark)
  }
}
