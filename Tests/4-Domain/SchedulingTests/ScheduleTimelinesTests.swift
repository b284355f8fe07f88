import Settings
import TestSupport
import Testing
import Time
import Timeline

@testable import Scheduling

private let start = Timestamp(seconds: 1_800_000_000)
private let account = AccountName("one")!
private let list = try! TimelineName("list:Friends")

private func at(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

private func key(_ timeline: TimelineName) -> TimelineKey { TimelineKey(account: account, timeline: timeline) }

/// An account with its home timeline and a list.
private struct TwoTimelines {
  var schedule = Schedule()
  var generator = SeededGenerator(seed: 1)
  let owner: Schedule.Member.WindowOwner

  init(home: Int64, list other: Int64, owner: Schedule.Member.WindowOwner = .token) {
    self.owner = owner
    put([.home: home, list: other])
  }

  mutating func put(_ due: [TimelineName: Int64], renewal: Int64? = nil) {
    let member = Schedule.Member(
      account: account, host: "a.example", application: "key",
      timelines: due.mapValues { _ in Schedule.Member.Terms(interval: .seconds(90), windowOwner: owner) })
    schedule.put(
      member, due.mapValues { Schedule.Known(WorkTimes(due: at($0))) }, renewal: renewal.map(at), at: start)
  }

  /// Returns the timelines whose work starts; `nil` for a renewal.
  mutating func due(_ seconds: Int64) -> [TimelineName?] { schedule.due(at: at(seconds)).map(\.timeline) }

  mutating func end(
    _ timeline: TimelineName, _ outcome: RefreshOutcome = .served(hasMore: false), limit: RateLimit? = nil, due: Int64,
    now: Int64
  ) {
    schedule.ended(
      key(timeline), Schedule.Ending(outcome: outcome, limit: limit, next: WorkTimes(due: at(due))), at: at(now),
      using: &generator)
  }
}

/// A schedule of accounts with several timelines.
@Suite struct ScheduleTimelinesTests {
  @Test("an account's timelines are refreshed one at a time, first the one that was refreshed longest ago")
  func oneAtATime() {
    var two = TwoTimelines(home: 0, list: -50)
    #expect(two.due(0) == [.home], "neither was refreshed, so the names decide")
    #expect(two.due(1).isEmpty)
    two.end(.home, due: 20, now: 2)
    #expect(two.due(2) == [list])
    two.end(list, due: 10, now: 3)
    #expect(two.schedule.nextWakeUp(after: at(3)) == at(17), "a list that was just refreshed has to wait")
    #expect(two.due(100) == [.home])
    two.end(.home, due: 101, now: 101)
    #expect(two.due(101) == [list])
  }

  @Test("the user's refresh starts the wanted timeline before the timelines that are due")
  func wish() {
    var two = TwoTimelines(home: 0, list: 500)
    two.schedule.wish(key(list), at: at(0))
    let begun = two.schedule.due(at: at(0))
    #expect(begun.map(\.timeline) == [list] && begun.map(\.work) == [.user])
    two.end(list, due: 500, now: 1)
    #expect(two.due(1) == [.home])
  }

  @Test("a failure postpones its timeline, and no other timeline of the account")
  func failure() {
    var two = TwoTimelines(home: 0, list: 5)
    _ = two.due(0)
    two.end(.home, .transient(until: nil), due: 3, now: 1)
    #expect(two.due(5) == [list])
    two.end(list, due: 95, now: 6)
    #expect(two.due(15).isEmpty)
    #expect(two.due(16) == [.home])
  }

  @Test(
    "a limit delays the account's other timeline if the provider counts the requests of the token, not of each timeline",
    arguments: [Schedule.Member.WindowOwner.token, .kind])
  func limits(owner: Schedule.Member.WindowOwner) {
    var two = TwoTimelines(home: 0, list: 5, owner: owner)
    _ = two.due(0)
    two.end(.home, .limited(until: at(60)), due: 62, now: 1)
    #expect(two.schedule.blocked(key(.home), at: at(5)) == at(61))
    #expect(two.schedule.blocked(key(list), at: at(5)) == (owner == .token ? at(61) : nil))
    #expect(two.due(5) == (owner == .token ? [] : [list]))
  }

  @Test("the requests left in a window are kept for the timeline of the window")
  func windows() {
    var two = TwoTimelines(home: 0, list: 5, owner: .kind)
    _ = two.due(0)
    two.end(.home, limit: RateLimit(limit: 15, remaining: 1, reset: at(900)), due: 20, now: 1)
    #expect(two.due(5) == [list])
    two.end(list, limit: RateLimit(limit: 15, remaining: 14, reset: at(900)), due: 95, now: 6)
    #expect(two.due(20).isEmpty, "the last request is the user's")
    #expect(two.schedule.nextWakeUp(after: at(20)) == at(95))
    #expect(two.due(95) == [list])
  }

  @Test("the token is renewed once for all timelines")
  func renewal() {
    var two = TwoTimelines(home: 10, list: 10)
    two.put([.home: 10, list: 10], renewal: 5)
    #expect(two.due(5).isEmpty, "an unchanged account keeps its plan")
    two.put([.home: 10, list: 10, .other: 10], renewal: 5)
    #expect(two.due(5) == [nil])
    two.schedule.renewed(account, next: at(3600), isFinal: false, at: at(6))
    #expect(two.due(10).count == 1)
  }

  @Test("a removed timeline is forgotten, and the end of its refresh lets the account go on")
  func removed() {
    var two = TwoTimelines(home: 0, list: 0)
    #expect(two.due(0) == [.home])
    two.put([list: 0])
    #expect(two.due(1).isEmpty)
    two.end(.home, due: 90, now: 2)
    #expect(two.schedule.moments(of: account, .home) == nil)
    #expect(two.due(2) == [list])
    two.end(list, due: 92, now: 3)
    #expect(two.schedule.underWay[.host("a.example")] == 0)
  }

  @Test("an account with ten timelines gets as many of the scarce requests as an account with one")
  func shares() {
    var world = ScheduleSimulation(.init(owner: .application), accounts: 2, interval: 60) { $0 == 0 ? 1 : 10 }
    world.run(.seconds(86_400))
    let counts = world.counts(of: .refresh)
    #expect(counts[0] > 500)
    let share = Double(counts[1]) / Double(counts[0])
    #expect(share >= 0.9 && share <= 1.1, "\(counts)")
    let lists = Dictionary(grouping: world.requests.filter { $0.account.text == "account-1" }, by: \.timeline)
    let each = lists.values.map(\.count)
    #expect(each.count == 10 && each.max()! - each.min()! <= 1, "the timelines take turns: \(each)")
    #expect(world.refused.isEmpty)
  }

  @Test("accounts with ten timelines do not crowd out accounts with one from a busy host")
  func busyHost() {
    var world = ScheduleSimulation(.init(limit: 1_000_000, sends: .none), accounts: 44, interval: 4) {
      $0 < 40 ? 1 : 10
    }
    world.run(.seconds(300))
    let counts = world.counts(of: .refresh, by: 40)
    #expect(world.mostUnderWay == Schedule.requestsPerHost)
    let share = counts.many / counts.one
    #expect(share >= 0.9 && share <= 1.1, "\(counts)")
  }

  @Test("of 200 accounts with three timelines each, none exceeds its limit, and none waits for more than two intervals")
  func crowd() {
    var world = ScheduleSimulation(.init(limit: 300, window: .seconds(300)), accounts: 200, interval: 180) { _ in 3 }
    let begin = world.now
    world.run(.seconds(3600))
    #expect(world.refused.isEmpty)
    let timelines = Dictionary(grouping: world.requests) { TimelineKey(account: $0.account, timeline: $0.timeline) }
    #expect(timelines.count == 600)
    let waits = timelines.values.flatMap { requests in
      let times = [begin] + requests.map(\.at) + [begin + .seconds(3600)]
      return zip(times.dropFirst(), times).map { $0 - $1 }
    }
    #expect(waits.max()! <= .seconds(360), "\(waits.max()!)")
  }

  @Test("with several timelines, no limit is exceeded and no loop keeps the process busy", arguments: [1, 2])
  func days(seed: UInt64) {
    var world = ScheduleSimulation(.init(failures: 10), accounts: 3, interval: 60, missing: 5, seed: seed) {
      $0 * 3 + 1
    }
    for _ in 0..<12 {
      world.run(.seconds(3600))
      world.sleep(.seconds(2000))
    }
    #expect(world.refused.isEmpty)
    #expect(world.wakeUps <= world.requests.count * 2)
    let asked = Set(world.requests.map { TimelineKey(account: $0.account, timeline: $0.timeline) })
    #expect(asked.count == 1 + 4 + 7)
  }
}

extension TimelineName {
  fileprivate static let other = try! TimelineName("tag:swift")
}

extension ScheduleSimulation {
  /// Returns the average number of requests of the first accounts, and of the others.
  /// - Parameter first: the number of first accounts.
  fileprivate func counts(of work: Work, by first: Int) -> (one: Double, many: Double) {
    let all = Dictionary(grouping: requests.filter { $0.work == work }, by: \.account).mapValues(\.count)
    func average(_ range: Range<Int>) -> Double {
      Double(range.reduce(0) { $0 + (all[AccountName("account-\($1)")!] ?? 0) }) / Double(range.count)
    }
    return (average(0..<first), average(first..<accounts.count))
  }
}
