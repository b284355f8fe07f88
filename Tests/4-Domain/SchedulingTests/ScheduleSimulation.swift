import Settings
import TestSupport
import Time
import Timeline

@testable import Scheduling

/// A simulation that runs days of a schedule in milliseconds. Providers count requests in windows, responses take time,
/// requests fail, and the machine sleeps. Everything is derived from the seed.
struct ScheduleSimulation {
  /// A provider as seen by its clients.
  struct Server {
    var limit = 15
    var window = Duration.seconds(900)
    var sends = Headers.all
    /// The percentage of requests that get a 5xx status. These requests are counted, and their responses have no
    /// rate-limit headers.
    var failures = 0
    var owner = Schedule.Member.WindowOwner.token
    /// Until this time, the server responds to each request with 503 and with this time as `Retry-After`.
    var downUntil: Timestamp?

    enum Headers { case all, withoutLimit, withoutReset, none }
  }

  struct Request: Equatable {
    let account: AccountName
    let timeline: TimelineName
    let work: Work
    /// The time of the response, on a clock that is never set.
    let at: Timestamp
    var isRefused = false
  }

  struct Account {
    let pacing: Pacing
    var timelines: [TimelineName: Timeline]
    var limit: RateLimit?
  }

  struct Timeline {
    var plan = Pacing.Plan(due: nil, failures: 0)
    /// The number of pages that are still missing.
    var missing: Int
  }

  private(set) var now = Timestamp(seconds: 1_800_000_000)
  /// How far the clock has been set ahead or back.
  private var set = Duration.zero
  var schedule = Schedule()
  var server: Server
  var accounts: [AccountName: Account] = [:]
  private(set) var requests: [Request] = []
  private(set) var wakeUps = 0
  /// The highest number of simultaneous requests.
  private(set) var mostUnderWay = 0
  var generator: SeededGenerator
  private var counters: [Scope: (used: Int, end: Timestamp)] = [:]
  private var underWay: [(ends: Timestamp, start: Schedule.Start)] = []

  /// - Parameters:
  ///   - missing: the number of pages that each timeline has to fetch.
  ///   - timelines: returns the number of an account's timelines.
  init(
    _ server: Server, accounts count: Int, interval: Int64, missing: Int = 0, seed: UInt64 = 1,
    timelines: (_ index: Int) -> Int = { _ in 1 }
  ) {
    self.server = server
    generator = SeededGenerator(seed: seed)
    for index in 0..<count {
      let name = AccountName("account-\(index)")!
      let names = [TimelineName.home] + (1..<timelines(index)).map { try! TimelineName("list:\($0)") }
      let isShared = server.owner == .application || server.owner == .host || server.owner == .token && names.count > 1
      accounts[name] = Account(
        pacing: Pacing(interval: .seconds(interval), sharesWindow: isShared),
        timelines: Dictionary(uniqueKeysWithValues: names.map { ($0, Timeline(missing: missing)) }))
      schedule.put(
        member(name), Dictionary(uniqueKeysWithValues: names.map { ($0, Schedule.Known(WorkTimes(due: now))) }), at: now
      )
    }
    schedule.started(at: now, using: &generator)
  }

  var refused: [Request] { requests.filter(\.isRefused) }

  /// Returns the number of requests for the given work by each account since a given time.
  func counts(of work: Work, since start: Timestamp? = nil) -> [Int] {
    accounts.keys.sorted().map { name in
      requests.count { $0.account == name && $0.work == work && $0.at >= start ?? $0.at }
    }
  }

  /// Returns the shortest time between two requests of one account for the given work.
  func shortestPause(of work: Work) -> Duration? {
    var last: [AccountName: Timestamp] = [:]
    var shortest: Duration?
    for request in requests where request.work == work {
      if let before = last[request.account] { shortest = min(shortest ?? request.at - before, request.at - before) }
      last[request.account] = request.at
    }
    return shortest
  }

  func member(_ name: AccountName) -> Schedule.Member {
    Schedule.Member(
      account: name, host: "social.example", application: "key",
      timelines: accounts[name]!.timelines.mapValues { _ in
        Schedule.Member.Terms(interval: accounts[name]!.pacing.interval, windowOwner: server.owner)
      })
  }

  // MARK: Time

  /// Advances the time by the given duration.
  mutating func run(_ duration: Duration) {
    let end = now + duration
    while now < end {
      begin()
      let wakeUp = schedule.nextWakeUp(after: now)
      if let wakeUp, wakeUp <= now {
        fatalError("the schedule requests an immediate wake-up, which would be a busy loop")
      }
      let response = underWay.map(\.ends).min()
      let next = [wakeUp, response, end].compactMap(\.self).min()!
      if next == wakeUp { wakeUps += 1 }
      now = next
      let ended = underWay.filter { $0.ends <= now }
      underWay.removeAll { $0.ends <= now }
      for (_, start) in ended { finish(start) }
    }
  }

  /// Suspends the machine. Requests in progress then find their connection closed.
  mutating func sleep(_ duration: Duration) {
    now = now + duration
    underWay = underWay.map { (max($0.ends, now), $0.start) }
    schedule.resumed(at: now, asleep: duration, using: &generator)
  }

  mutating func setClock(by duration: Duration) {
    now = now + duration
    set = set + duration
    schedule.shift(by: duration)
    underWay = underWay.map { ($0.ends + duration, $0.start) }
    counters = counters.mapValues { ($0.used, $0.end + duration) }
    for name in accounts.keys {
      for timeline in accounts[name]!.timelines.keys {
        let due = accounts[name]!.timelines[timeline]!.plan.due
        accounts[name]!.timelines[timeline]!.plan.due = due.map { $0 + duration }
      }
      accounts[name]!.limit = accounts[name]!.limit.map {
        RateLimit(limit: $0.limit, remaining: $0.remaining, reset: $0.reset + duration)
      }
    }
  }

  // MARK: Requests

  private mutating func begin() {
    for start in schedule.due(at: now) {
      underWay.append((now + .milliseconds(Int64.random(in: 50...1500, using: &generator)), start))
    }
    mostUnderWay = max(mostUnderWay, underWay.count)
  }

  private mutating func finish(_ start: Schedule.Start) {
    let (name, work, timeline) = (start.account, start.work, start.timeline!)
    let (outcome, stated) = respond(name, timeline, work)
    guard var account = accounts[name] else { return }
    account.limit = RateLimit.known(before: account.limit, stated: stated, at: now)
    let plan = account.pacing.next(
      after: .ended(outcome), of: work, plan: account.timelines[timeline]!.plan, limit: account.limit, now: now,
      using: &generator
    ).plan
    account.timelines[timeline]!.plan = plan
    let filling = Filling.next(
      after: outcome, of: work, plan: plan, limit: account.limit, interval: account.pacing.interval, now: now)
    accounts[name] = account
    schedule.ended(
      TimelineKey(account: name, timeline: timeline),
      Schedule.Ending(outcome: outcome, limit: stated, next: WorkTimes(due: plan.due, filling: filling)),
      at: now, using: &generator)
  }

  /// Returns the server's response to a request, which the server counts.
  private mutating func respond(_ name: AccountName, _ timeline: TimelineName, _ work: Work) -> (
    RefreshOutcome, RateLimit?
  ) {
    requests.append(Request(account: name, timeline: timeline, work: work, at: now - set))
    if let downUntil = server.downUntil, now < downUntil { return (.transient(until: downUntil), nil) }
    let scope = member(name).window(of: timeline)
    var counter = counters[scope] ?? (0, now)
    if now >= counter.end { counter = (0, now + server.window) }
    counter.used += 1
    counters[scope] = counter
    if counter.used > server.limit {
      requests[requests.count - 1].isRefused = true
      return (.limited(until: counter.end), nil)
    }
    if Int.random(in: 0..<100, using: &generator) < server.failures { return (.transient(until: nil), nil) }
    if work == .fill { accounts[name]!.timelines[timeline]!.missing -= 1 }
    let limit = RateLimit(
      limit: server.sends == .withoutLimit ? nil : server.limit, remaining: server.limit - counter.used,
      // If the server does not send a window's end, this is the end that a client assumes.
      reset: server.sends == .withoutReset ? now + .seconds(900) : counter.end)
    return (.served(hasMore: accounts[name]!.timelines[timeline]!.missing > 0), server.sends == .none ? nil : limit)
  }
}
