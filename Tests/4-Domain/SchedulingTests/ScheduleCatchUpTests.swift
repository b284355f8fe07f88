import Settings
import TestSupport
import Testing
import Time
import Timeline

@testable import Scheduling

@Suite struct ScheduleCatchUpTests {
  private typealias Simulation = ScheduleSimulation

  @Test(
    "after a long suspend, nothing happens for a few seconds, and then the accounts are refreshed once each, spread over time",
    arguments: 1...3)
  func suspend(seed: UInt64) {
    var world = Simulation(.init(limit: 150, failures: 10), accounts: 60, interval: 90, missing: 10, seed: seed)
    world.run(.seconds(1000))
    world.sleep(.seconds(8 * 3600))
    let awake = world.now
    world.run(.seconds(45))
    // Requests that were in progress at the time of the suspend get their responses immediately and are not counted.
    let asked = world.requests.filter { $0.at > awake && $0.work == .refresh }
    #expect(asked.allSatisfy { $0.at >= awake + .seconds(5) })
    world.run(.seconds(40))
    let caughtUp = world.requests.filter { $0.at > awake && $0.at < awake + .seconds(45) && $0.work == .refresh }
    let counts = Dictionary(grouping: caughtUp, by: \.account).mapValues(\.count)
    #expect(counts.count >= 58)
    let busiest = Dictionary(grouping: caughtUp, by: \.at.seconds).values.map(\.count).max()!
    #expect(busiest <= 12, "60 accounts are spread over 30 seconds")
    #expect(world.mostUnderWay <= Schedule.requestsPerHost)
    #expect(world.refused.isEmpty)
  }

  @Test("after a suspend, each account is refreshed once within its interval")
  func once() {
    var world = Simulation(.init(limit: .max), accounts: 20, interval: 300)
    world.run(.seconds(1000))
    world.sleep(.seconds(50_000))
    let awake = world.now
    world.run(.seconds(200))
    let counts = Dictionary(grouping: world.requests.filter { $0.at > awake }, by: \.account).mapValues(\.count)
    #expect(counts.count == 20)
    #expect(counts.values.allSatisfy { $0 == 1 })
  }

  @Test("a pause of less than a minute is not a suspend, and does not postpone work that is due")
  func nap() {
    var world = Simulation(.init(limit: .max), accounts: 5, interval: 90)
    world.run(.seconds(60))
    world.sleep(.seconds(50))
    let awake = world.now
    world.run(.seconds(4))
    #expect(!world.requests.filter { $0.at > awake }.isEmpty)
  }

  @Test("a manual refresh does not wait for the quiet seconds after a suspend to end")
  func user() {
    var world = Simulation(.init(), accounts: 5, interval: 90)
    world.run(.seconds(60))
    world.sleep(.seconds(5000))
    let name = world.accounts.keys.sorted()[2]
    world.schedule.wish(.home(of: name), at: world.now)
    world.run(.seconds(3))
    #expect(world.counts(of: .user)[2] == 1)
  }

  @Test("at startup, the refreshes of a thousand overdue accounts are spread over two minutes")
  func start() {
    var world = Simulation(.init(limit: .max), accounts: 1000, interval: 900)
    let begun = world.now
    world.run(.seconds(300))
    #expect(world.counts(of: .refresh).allSatisfy { $0 == 1 })
    #expect(world.mostUnderWay <= Schedule.requestsPerHost)
    let busiest = Dictionary(grouping: world.requests, by: \.at.seconds).values.map(\.count).max()!
    #expect(busiest <= 30)
    #expect(world.requests.last!.at - begun >= .seconds(100))
  }

  @Test(
    "each overdue account is moved to a random later time only once; different hosts are handled in parallel"
  )
  func moments() {
    let now = Timestamp(seconds: 1_800_000_000)
    var generator = SeededGenerator(seed: 5)
    var schedule = Schedule()
    let names = (0..<400).map { AccountName("account-\($0)")! }
    for (index, name) in names.enumerated() {
      let member = Schedule.Member(
        account: name, host: index % 2 == 0 ? "a.example" : "b.example", application: nil,
        timelines: [.home: Schedule.Member.Terms(interval: .seconds(900))])
      // Every tenth account is not due for another hour.
      schedule.put(
        member, [.home: Schedule.Known(WorkTimes(due: now + .seconds(index % 10 == 9 ? 3600 : -5)))], at: now)
    }
    schedule.started(at: now, using: &generator)
    func waits() -> [Duration] { names.map { schedule.moments(of: $0, .home)!.due! - now } }
    let started = waits()
    #expect(started.count { $0 == .seconds(3600) } == 40)
    let moved = started.filter { $0 < .seconds(3600) }
    #expect(moved.allSatisfy { $0 >= .zero && $0 <= Schedule.longestSpread })
    #expect(moved.max()! > .seconds(90))
    #expect(Dictionary(grouping: moved, by: \.components.seconds).values.allSatisfy { $0.count <= 15 })
    schedule.started(at: now, using: &generator)
    #expect(zip(waits(), started).allSatisfy { $0 == $1 }, "later times are not changed")
    schedule.resumed(at: now + .seconds(1000), asleep: .seconds(1000), using: &generator)
    let resumed = waits().filter { $0 < .seconds(3600) }
    #expect(resumed.allSatisfy { $0 >= .seconds(1005) && $0 <= .seconds(1010) + Schedule.longestSpread })
    #expect(Dictionary(grouping: resumed, by: \.components.seconds).values.allSatisfy { $0.count <= 15 })
  }

  @Test("three accounts are refreshed within two seconds of the start, not counting their response times")
  func soon() {
    var world = Simulation(.init(), accounts: 3, interval: 900)
    world.run(.seconds(3))
    #expect(world.counts(of: .refresh) == [1, 1, 1])
  }

  @Test(
    "setting the clock shifts all scheduled times, so that pauses keep their length", arguments: [-86_400, 86_400])
  func clock(seconds: Int64) {
    var world = Simulation(.init(), accounts: 1, interval: 90, seed: 3)
    var other = world
    world.run(.seconds(200))
    other.run(.seconds(200))
    world.setClock(by: .seconds(seconds))
    world.run(.seconds(600))
    other.run(.seconds(600))
    #expect(world.requests == other.requests)
    #expect(world.requests.count >= 8)
  }
}
