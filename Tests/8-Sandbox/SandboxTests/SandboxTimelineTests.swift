import HTTP
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("The sandbox's timeline")
struct SandboxTimelineTests {
  @Test("The same seed and time produce the same timeline, and a different seed produces a different one")
  func deterministic() throws {
    var (one, two) = (TwitterTestClient(), TwitterTestClient(key: .random()))
    let (tokenOne, tokenTwo) = (try one.login(), try two.login())
    let page = try one.get(.homeTimeline, "?count=200&tweet_mode=extended", by: tokenOne)
    #expect(page.body == (try two.get(.homeTimeline, "?count=200&tweet_mode=extended", by: tokenTwo)).body)

    var policy = SandboxPolicy()
    policy.timeline = SandboxTimeline(seed: 2)
    var three = TwitterTestClient(policy)
    let tokenThree = try three.login()
    #expect(try three.page("?count=200", by: tokenThree).map(\.id) != ReceivedPost.page(page.body).map(\.id))
  }

  @Test("With a later start, the same posts appear later")
  func begunLater() throws {
    let delay = Duration.seconds(123_456_789)
    var policy = SandboxPolicy()
    policy.timeline = SandboxTimeline(start: Timestamp(seconds: 1_577_836_800) + delay)
    var (one, two) = (TwitterTestClient(), TwitterTestClient(policy))
    two.now = one.now + delay
    let query = "?count=200&tweet_mode=extended"
    let (tokenOne, tokenTwo) = (try one.login(), try two.login())
    let (early, late) = (try one.page(query, by: tokenOne), try two.page(query, by: tokenTwo))
    #expect(early.map(\.fullText) == late.map(\.fullText) && Set(early.map(\.fullText)).count > 100)
    for (early, late) in zip(early, late) {
      let (then, now) = (Timestamp(twitterDate: early.createdAt), Timestamp(twitterDate: late.createdAt))
      #expect(try #require(now) == #require(then) + delay)
      #expect(late.id > early.id)
    }
  }

  @Test("A new sandbox post appears every 20 to 60 seconds, and earlier posts do not change")
  func grows() throws {
    var client = TwitterTestClient()
    let token = try client.login()
    var known = try client.page("?count=5", by: token)
    for _ in 0..<50 {
      client.now = client.now + .seconds(60)
      let page = try client.page("?count=20&since_id=\(known[0].idText)", by: token)
      #expect((1...3).contains(page.count))
      known = page + known
    }
    let whole = try client.page("?count=\(known.count)", by: token)
    #expect(whole == known)
    for (newer, older) in zip(known, known.dropFirst()) {
      let distance =
        try #require(Timestamp(twitterDate: newer.createdAt)) - #require(Timestamp(twitterDate: older.createdAt))
      #expect(distance >= .seconds(19) && distance <= .seconds(61))
    }
  }

  @Test(
    "Paging by max_id returns each of the newest 800 posts exactly once, and then stops",
    arguments: [7, 20, 150, 200])
  func tiles(count: Int) throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 1_000
    var client = TwitterTestClient(policy)
    let token = try client.login()
    var ids: [UInt64] = []
    var limit = ""
    while true {
      let page = try client.page("?count=\(count)\(limit)", by: token)
      guard let last = page.last else { break }
      ids += page.map(\.id)
      limit = "&max_id=\(last.id - 1)"
    }
    #expect(ids.count == 800)
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 > $1 })
    #expect(ids.allSatisfy { $0 > 1 << 53 && $0 < UInt64(Int64.max) })
    // The page contains the post whose id is max_id.
    #expect(try client.page("?count=3&max_id=\(ids[100])", by: token).map(\.id) == Array(ids[100..<103]))
    #expect(try client.page("?count=3&max_id=\(ids[100] + 1)", by: token).map(\.id) == Array(ids[100..<103]))
  }

  @Test("since_id is exclusive, and the newest posts come first")
  func since() throws {
    var client = TwitterTestClient()
    let token = try client.login()
    let all = try client.page("?count=200", by: token)
    #expect(try client.page("?count=200&since_id=\(all[50].id)", by: token) == Array(all[..<50]))
    #expect(try client.page("?count=10&since_id=\(all[50].id)", by: token) == Array(all[..<10]))
    #expect(
      try client.page("?since_id=\(all[50].id - 1)&max_id=\(all[40].id)&count=200", by: token) == Array(all[40...50]))
    #expect(try client.page("?since_id=\(all[0].id)", by: token).isEmpty)
    // An id below the reachable posts counts as the oldest of them. An id above all posts selects none.
    #expect(try client.page("?since_id=12345&count=200", by: token) == all)
    #expect(try client.page("?since_id=\(UInt64.max)", by: token).isEmpty)
    #expect(try client.page("?max_id=1", by: token).isEmpty)
  }

  @Test("A timeline page has 20 posts by default and at most 200, and ids must be numbers")
  func parameters() throws {
    var client = TwitterTestClient()
    let token = try client.login()
    for (query, count) in [("", 20), ("?count=1", 1), ("?count=999", 200), ("?count=0", 20), ("?count=x", 20)] {
      #expect(try client.page(query, by: token).count == count)
    }
    for query in ["?since_id=x", "?max_id=-1", "?since_id="] {
      let response = try client.get(.homeTimeline, query, by: token)
      #expect(response.status == .badRequest)
      #expect(response.code == 44)
    }
  }

  @Test("Replies are excluded after the count has been applied")
  func withoutReplies() throws {
    var client = TwitterTestClient()
    let token = try client.login()
    let all = try client.page("?count=100", by: token)
    let some = try client.page("?count=100&exclude_replies=true", by: token)
    #expect(some == all.filter { !$0.isReply })
    #expect(some.count < 100)
  }

  @Test("The response to a request for an unchanged page is 304")
  func unchanged() throws {
    var client = TwitterTestClient()
    let token = try client.login()
    let first = try client.get(.homeTimeline, "?count=5", by: token)
    let tag = try #require(first.headers.first("ETag"))
    func again(_ query: String) throws -> HTTP.Request {
      var request = try client.signed(.homeTimeline, query, by: token)
      request.headers.set("If-None-Match", FieldValue(tag)!)
      return request
    }
    let second = client.send(try again("?count=5"))
    #expect(second.status == .notModified)
    #expect(second.body.isEmpty)
    #expect(second.headers.first("ETag") == tag)
    #expect(second.headers.first("x-rate-limit-remaining") == "178")
    #expect(client.send(try again("?count=5&tweet_mode=extended")).status == .ok)
    client.now = client.now + .seconds(120)
    #expect(client.send(try again("?count=5")).status == .ok)
  }

  @Test("The rate limit counts down, then requests fail with code 88, and then a new window begins")
  func limits() throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 2
    var client = TwitterTestClient(policy)
    let token = try client.login()
    let end = client.now.seconds + 900
    for (remaining, status) in [("1", StatusCode.ok), ("0", .ok), ("0", .tooManyRequests), ("0", .tooManyRequests)] {
      let response = try client.get(.homeTimeline, by: token)
      #expect(response.status == status)
      #expect(response.headers.first("x-rate-limit-limit") == "2")
      #expect(response.headers.first("x-rate-limit-remaining") == remaining)
      #expect(response.headers.first("x-rate-limit-reset") == String(end))
      client.now = client.now + .seconds(1)
    }
    #expect(try client.get(.homeTimeline, by: token).code == 88)
    // Each route and each token has its own limit.
    #expect(try client.get(.verifyCredentials, by: token).status == .ok)
    #expect(try client.get(.homeTimeline, by: client.login()).status == .ok)
    client.now = Timestamp(seconds: end)
    #expect(try client.get(.homeTimeline, by: token).status == .ok)
  }

  @Test("Late posts appear below newer posts, with ids derived from their own time")
  func late() throws {
    var client = TwitterTestClient()
    let token = try client.login()
    let onTime = try client.page("?count=100", by: token)
    client.provider.latePosts = LatePosts(every: 5, by: .seconds(600))
    let before = try client.page("?count=100", by: token).map(\.id)
    let missing = onTime.map(\.id).filter { $0 >= before.last! && !before.contains($0) }
    // Ten minutes have 15 posts, 40 s apart on average, and a fifth of them are late.
    #expect((2...4).contains(missing.count))
    client.now = client.now + .seconds(600)
    let after = try client.page("?count=100", by: token).map(\.id)
    for id in missing { #expect(after.contains(id)) }
  }

  @Test("A sandbox timeline is empty before its start time")
  func beginning() throws {
    var client = TwitterTestClient()
    client.now = Timestamp(seconds: 1_577_836_799)
    let token = try client.login()
    #expect(try client.page(by: token).isEmpty)
    client.now = client.now + .seconds(101)
    #expect((2...3).contains(try client.page(by: token).count))
  }
}
