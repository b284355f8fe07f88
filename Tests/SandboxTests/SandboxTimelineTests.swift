import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's timeline")
struct SandboxTimelineTests {
  @Test("it is the same at the same time, and another one with another seed")
  func deterministic() throws {
    var (one, two) = (SandboxWalk(), SandboxWalk(key: .random()))
    let (tokenOne, tokenTwo) = (try one.login(), try two.login())
    let page = try one.get(.homeTimeline, "?count=200&tweet_mode=extended", by: tokenOne)
    #expect(page.body == (try two.get(.homeTimeline, "?count=200&tweet_mode=extended", by: tokenTwo)).body)

    var policy = SandboxPolicy()
    policy.timeline = SandboxTimeline(seed: 2)
    var three = SandboxWalk(policy)
    let tokenThree = try three.login()
    #expect(try three.page("?count=200", by: tokenThree).map(\.id) != PostOnTheWire.page(page.body).map(\.id))
  }

  @Test("begun later it says the same things later")
  func begunLater() throws {
    let delay = Duration.seconds(123_456_789)
    var policy = SandboxPolicy()
    policy.timeline = SandboxTimeline(start: Timestamp(seconds: 1_577_836_800) + delay)
    var (one, two) = (SandboxWalk(), SandboxWalk(policy))
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

  @Test("it grows by one post every 20 to 60 seconds, and what was there stays as it was")
  func grows() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    var known = try walk.page("?count=5", by: token)
    for _ in 0..<50 {
      walk.now = walk.now + .seconds(60)
      let page = try walk.page("?count=20&since_id=\(known[0].idText)", by: token)
      #expect((1...3).contains(page.count))
      known = page + known
    }
    let whole = try walk.page("?count=\(known.count)", by: token)
    #expect(whole == known)
    for (newer, older) in zip(known, known.dropFirst()) {
      let distance =
        try #require(Timestamp(twitterDate: newer.createdAt)) - #require(Timestamp(twitterDate: older.createdAt))
      #expect(distance >= .seconds(19) && distance <= .seconds(61))
    }
  }

  @Test(
    "pages by max_id tile the 800 posts of the reach without gap or overlap, and end there",
    arguments: [7, 20, 150, 200])
  func tiles(count: Int) throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 1_000
    var walk = SandboxWalk(policy)
    let token = try walk.login()
    var ids: [UInt64] = []
    var limit = ""
    while true {
      let page = try walk.page("?count=\(count)\(limit)", by: token)
      guard let last = page.last else { break }
      ids += page.map(\.id)
      limit = "&max_id=\(last.id - 1)"
    }
    #expect(ids.count == 800)
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 > $1 })
    #expect(ids.allSatisfy { $0 > 1 << 53 && $0 < UInt64(Int64.max) })
    // max_id itself belongs to the page.
    #expect(try walk.page("?count=3&max_id=\(ids[100])", by: token).map(\.id) == Array(ids[100..<103]))
    #expect(try walk.page("?count=3&max_id=\(ids[100] + 1)", by: token).map(\.id) == Array(ids[100..<103]))
  }

  @Test("since_id leaves out itself and what is older, and the newest come first")
  func since() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    let all = try walk.page("?count=200", by: token)
    #expect(try walk.page("?count=200&since_id=\(all[50].id)", by: token) == Array(all[..<50]))
    #expect(try walk.page("?count=10&since_id=\(all[50].id)", by: token) == Array(all[..<10]))
    #expect(
      try walk.page("?since_id=\(all[50].id - 1)&max_id=\(all[40].id)&count=200", by: token) == Array(all[40...50]))
    #expect(try walk.page("?since_id=\(all[0].id)", by: token).isEmpty)
    // Below the reach it counts as the oldest that can be reached; above everything it leaves nothing.
    #expect(try walk.page("?since_id=12345&count=200", by: token) == all)
    #expect(try walk.page("?since_id=\(UInt64.max)", by: token).isEmpty)
    #expect(try walk.page("?max_id=1", by: token).isEmpty)
  }

  @Test("count is 20 unless said otherwise, 200 at most, and ids must be numbers")
  func parameters() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    for (query, count) in [("", 20), ("?count=1", 1), ("?count=999", 200), ("?count=0", 20), ("?count=x", 20)] {
      #expect(try walk.page(query, by: token).count == count)
    }
    for query in ["?since_id=x", "?max_id=-1", "?since_id="] {
      let response = try walk.get(.homeTimeline, query, by: token)
      #expect(response.status == .badRequest)
      #expect(response.code == 44)
    }
  }

  @Test("replies are left out after the count was applied")
  func withoutReplies() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    let all = try walk.page("?count=100", by: token)
    let some = try walk.page("?count=100&exclude_replies=true", by: token)
    #expect(some == all.filter { !$0.isReply })
    #expect(some.count < 100)
  }

  @Test("a page that has not changed is not sent again")
  func unchanged() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    let first = try walk.get(.homeTimeline, "?count=5", by: token)
    let tag = try #require(first.headers.first("ETag"))
    func again(_ query: String) throws -> HTTP.Request {
      var request = try walk.signed(.homeTimeline, query, by: token)
      request.headers.set("If-None-Match", FieldValue(tag)!)
      return request
    }
    let second = walk.send(try again("?count=5"))
    #expect(second.status == .notModified)
    #expect(second.body.isEmpty)
    #expect(second.headers.first("ETag") == tag)
    #expect(second.headers.first("x-rate-limit-remaining") == "178")
    #expect(walk.send(try again("?count=5&tweet_mode=extended")).status == .ok)
    walk.now = walk.now + .seconds(120)
    #expect(walk.send(try again("?count=5")).status == .ok)
  }

  @Test("limits count down within a window, then refuse with code 88, then begin anew")
  func limits() throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 2
    var walk = SandboxWalk(policy)
    let token = try walk.login()
    let end = walk.now.seconds + 900
    for (remaining, status) in [("1", StatusCode.ok), ("0", .ok), ("0", .tooManyRequests), ("0", .tooManyRequests)] {
      let response = try walk.get(.homeTimeline, by: token)
      #expect(response.status == status)
      #expect(response.headers.first("x-rate-limit-limit") == "2")
      #expect(response.headers.first("x-rate-limit-remaining") == remaining)
      #expect(response.headers.first("x-rate-limit-reset") == String(end))
      walk.now = walk.now + .seconds(1)
    }
    #expect(try walk.get(.homeTimeline, by: token).code == 88)
    // Another route and another token have limits of their own.
    #expect(try walk.get(.verifyCredentials, by: token).status == .ok)
    #expect(try walk.get(.homeTimeline, by: walk.login()).status == .ok)
    walk.now = Timestamp(seconds: end)
    #expect(try walk.get(.homeTimeline, by: token).status == .ok)
  }

  @Test("late posts appear below newer ones, with the ids that they would have had")
  func late() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    let onTime = try walk.page("?count=100", by: token)
    walk.provider.faults.latePosts = LatePosts(every: 5, by: .seconds(600))
    let before = try walk.page("?count=100", by: token).map(\.id)
    let missing = onTime.map(\.id).filter { $0 >= before.last! && !before.contains($0) }
    // 15 posts of ten minutes, 40 s apart on average, a fifth of them late.
    #expect((2...4).contains(missing.count))
    walk.now = walk.now + .seconds(600)
    let after = try walk.page("?count=100", by: token).map(\.id)
    for id in missing { #expect(after.contains(id)) }
  }

  @Test("before its beginning it is empty")
  func beginning() throws {
    var walk = SandboxWalk()
    walk.now = Timestamp(seconds: 1_577_836_799)
    let token = try walk.login()
    #expect(try walk.page(by: token).isEmpty)
    walk.now = walk.now + .seconds(101)
    #expect((2...3).contains(try walk.page(by: token).count))
  }
}
