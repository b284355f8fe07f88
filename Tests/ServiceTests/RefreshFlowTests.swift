import CivilTime
import Service
import TestSupport
import Testing
import Timeline

/// A server of posts 1 to `newest`, and what a client that follows the flow comes to know of it.
private struct Exchange {
  var newest: Int
  var reach = 800
  var pageSize = 20
  var spans = Spans()
  var known: Set<Int> = []
  var requests: [RefreshFlow.Request] = []

  func entry(_ id: Int) -> Page.Entry {
    let name = PostID(String(id))
    return Page.Entry(
      post: Post(
        id: name, createdAt: Timestamp(seconds: Int64(id)), author: User(id: "1", screenName: "a", name: "A"),
        text: "post \(id)"), key: PostKey(decimal: name)!)
  }

  func answer(_ request: RefreshFlow.Request) -> Page {
    let top = request.older.map { Int($0.text)! } ?? newest
    let since = request.since.map { Int($0.id.text)! } ?? 0
    let ids = Array(stride(from: top, to: max(since, newest - reach, 0), by: -1).prefix(pageSize))
    return Page(
      entries: ids.map(entry), older: ids.last.map { PageCursor(String($0 - 1)) },
      reaches: ids.isEmpty ? request.since : nil)
  }

  /// - Parameter stopAfter: the process dies after so many stored pages.
  mutating func refresh(wanted: Int = 100, since overlap: Int = 3, stopAfter: Int = .max, allowed: Int = .max) {
    let since = spans.top.map { entry(max(Int($0.oldest.id.text)!, Int($0.newest.id.text)! - overlap)).mark }
    var flow = RefreshFlow(
      spans: spans, since: since, known: known.count, wanted: wanted, pageSize: pageSize, reach: reach)
    var event = RefreshFlow.Event.begun
    var stored = 0
    requests = []
    while true {
      switch flow.handle(event) {
      case .ask(let request):
        requests.append(request)
        event = .answered(answer(request), isExhausted: requests.count >= allowed)
      case .store(let page, let request):
        if let cursor = request.older { spans.insert(page, continuing: cursor) } else { spans.insert(head: page) }
        let ids = page.entries.map { Int($0.post.id.text)! }
        let new = Set(ids).subtracting(known).count
        known.formUnion(ids)
        stored += 1
        if stored == stopAfter { return }
        let edge = spans.gaps.first(where: \.isFillable).map { Int($0.before.id.text)! }
        event = .stored(spans, new: new, aboveGap: edge.map { edge in known.count { $0 >= edge } } ?? 0)
      case .finish: return
      }
    }
  }
}

@Suite struct RefreshFlowTests {
  @Test("the first refresh fetches as many posts as are kept")
  func first() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    #expect(exchange.known == Set(901...1000))
    #expect(exchange.requests.count == 5)
    #expect(exchange.spans.all.count == 1)
  }

  @Test("a refresh with little new asks once, from a known post on")
  func delta() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    exchange.newest = 1005
    exchange.refresh()
    #expect(exchange.requests == [RefreshFlow.Request(older: nil, since: exchange.entry(997).mark)])
    #expect(exchange.known == Set(901...1005))
  }

  @Test("nothing new costs one request and changes nothing")
  func nothing() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    let before = exchange.spans
    exchange.refresh()
    #expect(exchange.requests.count == 1)
    #expect(exchange.spans == before)
    var flow = RefreshFlow(spans: before, since: nil, known: 100, wanted: 100, pageSize: 20, reach: 800)
    guard case .ask = flow.handle(.begun), case .finish(new: 0) = flow.handle(.answered(nil, isExhausted: false)) else {
      Issue.record("not modified is not the end")
      return
    }
  }

  @Test("more than a page of new posts is fetched page by page until nothing is missing")
  func gap() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    exchange.newest = 1065
    exchange.refresh()
    #expect(exchange.known == Set(901...1065))
    #expect(exchange.spans.gaps == [])
  }

  @Test("a stop after any page loses nothing: the next refresh goes on", arguments: 1...8)
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

  @Test("an exhausted limit ends the refresh at once, and the next one fills the gap")
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

  @Test("a gap beyond the provider's reach stays, is not fillable, and is not asked for again")
  func outOfReach() {
    var exchange = Exchange(newest: 1000, reach: 50)
    exchange.refresh()
    exchange.newest = 2000
    exchange.refresh()
    #expect(exchange.spans.gaps.map(\.isFillable) == [false])
    exchange.refresh()
    #expect(exchange.requests.count == 1)
  }

  @Test("a server whose pages lead nowhere is not asked without end")
  func loop() {
    var exchange = Exchange(newest: 1000)
    let page = exchange.answer(RefreshFlow.Request(older: nil, since: nil))
    var flow = RefreshFlow(spans: Spans(), since: nil, known: 0, wanted: 800, pageSize: 20, reach: 800)
    var event = RefreshFlow.Event.begun
    var requests = 0
    while requests < 100 {
      switch flow.handle(event) {
      case .ask:
        requests += 1
        event = .answered(page, isExhausted: false)
      case .store:
        exchange.spans.insert(head: page)
        event = .stored(exchange.spans, new: 0, aboveGap: 0)
      case .finish:
        #expect(requests <= 3)
        return
      }
    }
    Issue.record("asked without end")
  }

  @Test("posts that appear late with older ids are seen by the overlap")
  func late() {
    var exchange = Exchange(newest: 1000)
    exchange.refresh()
    #expect(exchange.spans.top?.newest == exchange.entry(1000).mark)
    exchange.known.remove(999)
    exchange.newest = 1002
    exchange.refresh()
    #expect(exchange.known.contains(999))
  }
}
