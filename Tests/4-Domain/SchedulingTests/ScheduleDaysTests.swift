import Settings
import TestSupport
import Testing
import Time
import Timeline

@testable import Scheduling

/// Hours and days of simulated time, checked for properties that must always hold.
@Suite struct ScheduleDaysTests {
  private typealias Simulation = ScheduleSimulation

  @Test(
    "20 accounts, each limited to 15 requests in 15 minutes, are refreshed evenly and stay within their limits",
    arguments: [15, 60, 90])
  func tokens(interval: Int64) {
    var world = Simulation(.init(), accounts: 20, interval: interval, missing: 20)
    world.run(.seconds(1800))
    #expect(world.refused.isEmpty)
    let refreshes = world.counts(of: .refresh)
    #expect(refreshes.max()! - refreshes.min()! <= 1)
    #expect(refreshes.min()! >= 19)
  }

  @Test(
    "20 accounts sharing a limit of 15 requests in 15 minutes are refreshed evenly and stay within the limit",
    arguments: 1...5)
  func application(seed: UInt64) {
    var world = Simulation(.init(owner: .application), accounts: 20, interval: 90, missing: 20, seed: seed)
    world.run(.seconds(6 * 3600))
    #expect(world.refused.isEmpty)
    let refreshes = world.counts(of: .refresh)
    #expect(refreshes.max()! - refreshes.min()! <= 1)
    #expect(world.wakeUps <= world.requests.count * 2)
    #expect(refreshes.reduce(0, +) >= 24 * 13, "every request of the window is used except the user's")
  }

  @Test("accounts that share a window keep their order across many suspends", arguments: 1...3)
  func turns(seed: UInt64) {
    var world = Simulation(.init(owner: .application), accounts: 20, interval: 90, seed: seed)
    for _ in 0..<90 {
      world.run(.seconds(400))
      world.sleep(.seconds(200))
    }
    #expect(world.refused.isEmpty)
    let refreshes = world.counts(of: .refresh)
    #expect(refreshes.max()! - refreshes.min()! <= 1)
    #expect(refreshes.min()! >= 30)
    #expect(world.wakeUps <= world.requests.count * 2)
  }

  @Test(
    "a window that allows one request gets only one, whether or not several accounts share it",
    arguments: [Schedule.Member.WindowOwner.token, .application])
  func one(owner: Schedule.Member.WindowOwner) {
    var world = Simulation(.init(limit: 1, owner: owner), accounts: 4, interval: 90, missing: 3)
    world.run(.seconds(24 * 3600))
    // The schedule cannot know the window before the first response.
    #expect(world.requests.filter { $0.isRefused && $0.at > world.requests[0].at + .seconds(5) }.isEmpty)
    let refreshes = world.counts(of: .refresh)
    #expect(refreshes.max()! - refreshes.min()! <= 1)
    #expect(refreshes.reduce(0, +) >= (owner == .token ? 4 : 1) * 90)
  }

  @Test("if the remaining requests are known but not the limit, a new window starts with one request")
  func withoutLimit() {
    var world = Simulation(.init(limit: 5, sends: .withoutLimit, owner: .application), accounts: 20, interval: 90)
    world.run(.seconds(900))
    let first = world.requests.count
    world.run(.seconds(12 * 3600))
    #expect(world.requests.dropFirst(first).allSatisfy { !$0.isRefused })
    let refreshes = world.counts(of: .refresh)
    #expect(refreshes.max()! - refreshes.min()! <= 2)
  }

  @Test(
    "the limit is not exceeded even if the end of each window is unknown and has to be estimated", arguments: [15, 90])
  func withoutReset(interval: Int64) {
    var world = Simulation(.init(sends: .withoutReset), accounts: 3, interval: interval, missing: 30)
    world.run(.seconds(24 * 3600))
    #expect(world.refused.isEmpty)
    #expect(world.counts(of: .refresh).min()! >= 96 * 5)
  }

  @Test("without known limits, refreshes follow the user's interval, and gaps are filled at a polite interval")
  func noLimitStated() {
    var world = Simulation(.init(limit: .max, sends: .none), accounts: 3, interval: 90, missing: 10)
    world.run(.seconds(3600))
    #expect(world.counts(of: .refresh).allSatisfy { (38...40).contains($0) })
    #expect(world.counts(of: .fill) == [10, 10, 10])
    #expect(world.shortestPause(of: .refresh)! >= .seconds(90))
    #expect(world.shortestPause(of: .fill)! >= .seconds(10))
  }

  @Test("the remaining requests fill gaps, and once these are filled, nothing more is requested")
  func gaps() {
    var world = Simulation(.init(), accounts: 2, interval: 90, missing: 12)
    world.run(.seconds(4 * 3600))
    #expect(world.counts(of: .fill) == [12, 12])
    #expect(world.accounts.values.allSatisfy { $0.timelines[.home]!.missing == 0 })
    #expect(world.refused.isEmpty)
    #expect(world.counts(of: .refresh).allSatisfy { $0 >= 155 }, "filling gaps does not reduce the number of refreshes")
  }

  @Test(
    "during two days of failures, suspends and clock changes, no limit is exceeded and no loop keeps the process busy",
    arguments: 1...3)
  func days(seed: UInt64) {
    var world = Simulation(.init(failures: 20), accounts: 4, interval: 60, missing: 50, seed: seed)
    var random = SeededGenerator(seed: seed &+ 100)
    for _ in 0..<48 {
      world.run(.seconds(Int64.random(in: 600...5400, using: &random)))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: world.sleep(.seconds(Int64.random(in: 1...30_000, using: &random)))
      case 1: world.setClock(by: .seconds(Int64.random(in: -7200...7200, using: &random)))
      case 2: world.schedule.wish(.home(of: world.accounts.keys.sorted()[0]), at: world.now)
      default: break
      }
    }
    #expect(world.refused.isEmpty)
    #expect(world.shortestPause(of: .refresh)! >= .seconds(15))
    #expect(world.shortestPause(of: .fill)! >= .seconds(2))
    #expect(world.wakeUps <= world.requests.count * 2)
    let refreshes = world.counts(of: .refresh)
    #expect(refreshes.min()! * 10 >= refreshes.max()! * 8)
  }

  @Test("a manual refresh succeeds in each window without exceeding a limit, however busy the schedule is")
  func wishes() {
    var world = Simulation(.init(), accounts: 3, interval: 15, missing: 100)
    let name = world.accounts.keys.sorted()[0]
    world.run(.seconds(60))
    var random = SeededGenerator(seed: 9)
    for _ in 0..<40 {
      world.run(.seconds(Int64.random(in: 920...1800, using: &random)))
      let before = world.counts(of: .user)[0]
      #expect(world.schedule.blocked(.home(of: name), at: world.now) == nil)
      world.schedule.wish(.home(of: name), at: world.now)
      world.run(.seconds(4))
      #expect(world.counts(of: .user)[0] == before + 1)
    }
    #expect(world.refused.isEmpty)
  }

  @Test("a user who refreshes repeatedly learns when to retry, and never exceeds a limit")
  func impatience() throws {
    var world = Simulation(.init(), accounts: 1, interval: 90)
    let name = world.accounts.keys.first!
    var refusals = 0
    for _ in 0..<2000 {
      if let until = world.schedule.blocked(.home(of: name), at: world.now) {
        refusals += 1
        #expect(until > world.now && until <= world.now + .seconds(902))
      } else {
        world.schedule.wish(.home(of: name), at: world.now)
      }
      world.run(.seconds(5))
    }
    #expect(refusals > 100)
    #expect(world.refused.isEmpty)
  }

  @Test(
    "after a Retry-After, all accounts on the server wait until then and are refreshed in turn"
  )
  func serverDown() {
    var world = Simulation(.init(), accounts: 40, interval: 90)
    world.run(.seconds(600))
    let back = world.now + .seconds(1200)
    world.server.downUntil = back
    let before = world.requests.count
    world.run(.seconds(1200))
    #expect(world.requests.count - before <= 2 * Schedule.requestsPerHost)
    world.server.downUntil = nil
    world.run(.seconds(40))
    let after = world.requests.filter { $0.at >= back }
    #expect(Set(after.map(\.account)).count == 40)
    let busiest = Dictionary(grouping: after, by: \.at.seconds).values.map(\.count).max()!
    #expect(busiest <= 10)
  }
}
