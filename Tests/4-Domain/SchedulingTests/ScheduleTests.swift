import Settings
import TestSupport
import Testing
import Time
import Timeline

@testable import Scheduling

private let start = Timestamp(seconds: 1_800_000_000)

/// Returns the time a number of seconds after the start.
private func at(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

private func name(_ text: String) -> AccountName { AccountName(text)! }

/// A schedule whose functions have short names, for the tests.
private struct Table {
  var schedule = Schedule()
  var generator = SeededGenerator(seed: 1)

  static func member(
    _ account: String, host: String = "a.example", application: String? = "key", interval: Int64 = 90,
    owner: Schedule.Member.WindowOwner = .token
  ) -> Schedule.Member {
    Schedule.Member(
      account: name(account), host: host, application: application,
      timelines: [.home: Schedule.Member.Terms(interval: .seconds(interval), windowOwner: owner)])
  }

  mutating func put(
    _ account: String, due: Int64?, filling: Int64? = nil, host: String = "a.example", application: String? = "key",
    owner: Schedule.Member.WindowOwner = .token, limit: RateLimit? = nil
  ) {
    schedule.put(
      Self.member(account, host: host, application: application, owner: owner),
      [.home: Schedule.Known(WorkTimes(due: due.map(at), filling: filling.map(at)), limit: limit)], at: start)
  }

  /// Returns the work that starts: `account`, `account+` for filling a gap, or `account!` for the user's refresh.
  mutating func due(_ seconds: Int64) -> [String] {
    schedule.due(at: at(seconds)).map { start in
      start.account.text + [Work.user: "!", .refresh: "", .fill: "+"][start.work]!
    }
  }

  mutating func end(
    _ account: String, _ outcome: RefreshOutcome = .served(hasMore: false), limit: RateLimit? = nil, due: Int64?,
    filling: Int64? = nil, now: Int64
  ) {
    schedule.ended(
      .home(of: name(account)),
      Schedule.Ending(
        outcome: outcome, limit: limit, next: WorkTimes(due: due.map(at), filling: filling.map(at))),
      at: at(now), using: &generator)
  }

  func wakeUp(after seconds: Int64) -> Duration? {
    schedule.nextWakeUp(after: at(seconds)).map { $0 - start }
  }
}

@Suite struct ScheduleTests {
  @Test("without scheduled work, or while all scheduled work is running, there is no next wake-up")
  func rest() {
    var table = Table()
    #expect(table.wakeUp(after: 0) == nil)
    table.put("lost", due: nil)
    #expect(table.wakeUp(after: 0) == nil)
    table.put("one", due: 10)
    #expect(table.wakeUp(after: 0) == .seconds(10))
    #expect(table.due(9) == [])
    #expect(table.due(10) == ["one"])
    #expect(table.due(10) == [])
    #expect(table.wakeUp(after: 10) == nil)
    table.end("one", due: 100, now: 11)
    #expect(table.wakeUp(after: 11) == .seconds(100))
  }

  @Test(
    "manual refreshes start first, then scheduled refreshes in turn, then filling, with one job per account at a time"
  )
  func order() {
    var table = Table()
    table.put("gap", due: 50, filling: 5)
    table.put("late", due: 9)
    table.put("early", due: 1)
    table.put("asked", due: 500, filling: 2)
    table.schedule.wish(.home(of: name("asked")), at: at(9))
    #expect(table.due(10) == ["asked!", "early", "late", "gap+"])
    table.end("asked", due: 500, filling: 12, now: 11)
    #expect(table.due(12) == ["asked+"])
  }

  @Test("of the due accounts, the one that has waited longest since its last turn goes first")
  func turns() {
    var table = Table()
    table.put("slow", due: 0)
    table.put("fast", due: 5)
    #expect(table.due(0) == ["slow"])
    #expect(table.due(5) == ["fast"])
    table.end("slow", due: 100, now: 6)
    table.end("fast", due: 20, now: 6)
    #expect(table.due(110) == ["slow", "fast"])
  }

  @Test(
    "a manual refresh requested during a running refresh waits for it to end; repeated requests count as one"
  )
  func wishes() {
    var table = Table()
    table.put("one", due: 0)
    #expect(table.due(0) == ["one"])
    table.schedule.wish(.home(of: name("one")), at: at(1))
    table.schedule.wish(.home(of: name("one")), at: at(2))
    #expect(table.due(2) == [])
    table.end("one", due: 90, now: 3)
    #expect(table.due(3) == ["one!"])
    table.end("one", due: 93, now: 4)
    #expect(table.due(4) == [])
  }

  @Test("an account without a planned refresh is refreshed on request")
  func wishForLost() {
    var table = Table()
    table.put("lost", due: nil)
    table.schedule.wish(.home(of: name("lost")), at: at(1))
    #expect(table.wakeUp(after: 1) == .seconds(1))
    #expect(table.due(1) == ["lost!"])
    table.end("lost", .permanent(.needsLogin), due: nil, now: 2)
    #expect(table.wakeUp(after: 2) == nil)
  }

  @Test(
    "an account that is restarted keeps its running work and its user's request, and the work's failure puts nothing off"
  )
  func restarted() {
    var table = Table()
    table.put("one", due: 0)
    #expect(table.due(0) == ["one"])
    table.schedule.wish(.home(of: name("one")), at: at(1))
    table.schedule.restart(name("one"))
    table.put("one", due: 1)
    #expect(table.due(2) == [])
    table.end("one", .permanent(.locked), due: 3600, now: 3)
    #expect(table.due(3) == ["one!"])
    table.end("one", due: 93, now: 4)
    #expect(table.wakeUp(after: 4) == .seconds(93))
    #expect(table.due(100) == ["one"])
    table.schedule.restart(name("one"))
    table.put("one", due: 101)
    table.end("one", .permanent(.locked), due: 3600, now: 102)
    #expect(table.due(102) == ["one"])
    // The failure of later work counts.
    table.end("one", .permanent(.locked), due: 3600, now: 103)
    #expect(table.wakeUp(after: 103) == .seconds(3600))
  }

  @Test("at most six requests are sent to one host at a time, and requests to other hosts do not wait")
  func perHost() {
    var table = Table()
    for index in 0..<8 { table.put("a\(index)", due: 0) }
    table.put("b", due: 1, host: "b.example")
    #expect(table.due(1) == ["a0", "a1", "a2", "a3", "a4", "a5", "b"])
    #expect(table.wakeUp(after: 1) == nil)
    table.end("a3", due: 90, now: 2)
    #expect(table.due(2) == ["a6"])
    table.schedule.remove(name("a0"))
    #expect(table.due(3) == ["a7"])
    table.end("a0", due: 4, now: 4)
    #expect(table.schedule.entries[name("a0")] == nil)
  }

  @Test("only the account that reached its limit waits, and its user learns how long")
  func tokenLimit() {
    var table = Table()
    table.put("one", due: 0)
    table.put("two", due: 5)
    _ = table.due(0)
    table.end("one", .limited(until: at(60)), due: 70, now: 1)
    #expect(table.schedule.blocked(.home(of: name("one")), at: at(2)) == at(61))
    #expect(table.schedule.blocked(.home(of: name("two")), at: at(2)) == nil)
    table.schedule.wish(.home(of: name("one")), at: at(2))
    #expect(table.due(5) == ["two"])
    #expect(table.schedule.declined(at: at(5)) == [.home(of: name("one")): at(61)])
    #expect(table.wakeUp(after: 5) == .seconds(70))
    #expect(table.schedule.blocked(.home(of: name("one")), at: at(61)) == nil)
  }

  @Test("after a Retry-After, all accounts on the server wait, including manual refreshes")
  func hostDown() {
    var table = Table()
    table.put("one", due: 0)
    table.put("two", due: 5)
    table.put("other", due: 5, host: "b.example")
    _ = table.due(0)
    table.end("one", .transient(until: at(60)), due: 62, now: 1)
    #expect(table.schedule.blocked(.home(of: name("two")), at: at(5)) == at(60))
    #expect(table.due(5) == ["other"])
    #expect(table.due(59) == [])
    #expect(table.wakeUp(after: 59)! >= .seconds(60))
    #expect(table.schedule.moments(of: name("two"), .home)!.due! <= at(61))
  }

  @Test("a failure without a retry time affects only its own account")
  func ownFailure() {
    var table = Table()
    table.put("one", due: 0)
    table.put("two", due: 5)
    _ = table.due(0)
    table.end("one", .transient(until: nil), due: 20, now: 1)
    #expect(table.due(5) == ["two"])
  }

  @Test(
    "a demand for payment pauses all the application's accounts, except manual refreshes; then a single request is sent first"
  )
  func paused() {
    var table = Table()
    for account in ["one", "two", "three"] { table.put(account, due: 0) }
    table.put("other", due: 5, application: "another")
    #expect(table.due(0) == ["one", "three", "two"])
    for account in ["one", "two", "three"] { table.end(account, .paused(until: nil), due: 3601, now: 1) }
    #expect(table.due(5) == ["other"])
    #expect(table.due(3599) == [])
    #expect(table.schedule.blocked(.home(of: name("two")), at: at(100)) == nil)
    table.schedule.wish(.home(of: name("two")), at: at(100))
    #expect(table.due(100) == ["two!"])
    table.end("two", .paused(until: nil), due: 3701, now: 101)
    let first = table.due(3900)
    #expect(first.count == 1)
    #expect(table.due(3901) == [], "the other accounts wait for the response")
    table.end(first[0], .served(hasMore: false), due: 4000, now: 3902)
    #expect(table.due(3902).count == 2)
  }

  @Test("an account that has used up the user's daily limit is not refreshed again that day, even manually")
  func budget() {
    var table = Table()
    table.put("one", due: 0)
    _ = table.due(0)
    table.end("one", .budget(until: at(5000)), due: 5003, now: 1)
    #expect(table.schedule.blocked(.home(of: name("one")), at: at(100)) == at(5000))
    #expect(table.wakeUp(after: 1) == .seconds(5003))
  }

  @Test("a window's last request is reserved for the user, and none is sent once the window is used up")
  func spare() {
    var table = Table()
    table.put("one", due: 0, limit: RateLimit(limit: 15, remaining: 1, reset: at(600)))
    #expect(table.due(0) == [])
    #expect(table.wakeUp(after: 0) == .seconds(601))
    table.schedule.wish(.home(of: name("one")), at: at(1))
    #expect(table.due(1) == ["one!"])
    table.end("one", limit: RateLimit(limit: 15, remaining: 0, reset: at(600)), due: 605, now: 2)
    #expect(table.schedule.blocked(.home(of: name("one")), at: at(2)) == at(601))
  }

  @Test("requests in progress count towards the window that their accounts share")
  func underWay() {
    var table = Table()
    let limit = RateLimit(limit: 15, remaining: 3, reset: at(600))
    for account in ["one", "two", "three", "four"] {
      table.put(account, due: 0, owner: .application, limit: limit)
    }
    #expect(table.due(0).count == 1)
    #expect(table.due(100) == [])
    #expect(table.due(400).count == 1)
    #expect(table.due(599) == [])
  }

  @Test(
    "an account that is added again unchanged keeps its times; a changed or unscheduled one gets new times"
  )
  func reload() {
    var table = Table()
    table.put("same", due: 30, filling: 7)
    table.put("changed", due: 30)
    table.put("closed", due: nil)
    table.put("same", due: 0)
    table.put("closed", due: 2)
    table.schedule.put(
      Table.member("changed", interval: 60), [.home: Schedule.Known(WorkTimes(due: at(3)))], at: start)
    #expect(table.schedule.moments(of: name("same"), .home) == WorkTimes(due: at(30), filling: at(7)))
    #expect(table.schedule.moments(of: name("closed"), .home)?.due == at(2))
    #expect(table.schedule.moments(of: name("changed"), .home)?.due == at(3))
  }

  @Test(
    "if an account moves to another host during a request, the request counts towards the new host's limit")
  func moved() {
    var table = Table()
    for index in 0..<6 { table.put("a\(index)", due: 0) }
    #expect(table.due(0).count == 6)
    table.put("a0", due: 50, host: "b.example")
    table.put("a6", due: 1)
    #expect(table.due(1) == ["a6"])
    table.end("a0", due: 90, now: 2)
    table.put("a7", due: 3)
    #expect(table.due(3) == [])
  }

  @Test("an account that always needs requests does not starve slower ones")
  func mixedIntervals() {
    var table = Table()
    table.put("slow", due: 0, owner: .application)
    table.put("fast", due: 0, owner: .application)
    var turns: [String] = []
    for round in 0..<10 {
      let now = Int64(round * 1000)
      let begun = table.due(now)
      turns += begun
      for account in begun {
        table.end(
          account, limit: RateLimit(limit: 2, remaining: 1, reset: at(now + 900)),
          due: account == "fast" ? now + 15 : now + 500, now: now + 1)
      }
    }
    #expect(turns.count { $0 == "slow" } >= 4)
    #expect(turns.count { $0 == "fast" } >= 4)
  }
}
