import Accounts
import Scheduling
import Service
import Settings
import Storage
import TestSupport
import Testing
import Time
import Timeline

/// A process that is started repeatedly, for example by cron, and knows only what is in the account's database.
@Suite struct ScheduleProcessesTests {
  @Test(
    "a sequence of processes respects the window and the pauses like one long-running process", arguments: [15, 90])
  func processes(interval: Int64) {
    let interval = Duration.seconds(interval)
    let member = Schedule.Member(
      account: AccountName("one")!, host: "a.example", application: nil,
      timelines: [.home: Schedule.Member.Terms(interval: interval)])
    var generator = SeededGenerator(seed: 4)
    var state = AccountState()
    var (used, end) = (0, Timestamp(seconds: 0))
    var requests = 0
    for tick in 0..<2880 {
      let now = Timestamp(seconds: 1_800_000_000 + Int64(tick) * 20)
      var schedule = Schedule()
      let due = state.due(.home, at: now, interval: interval)
      schedule.put(
        member, [.home: Schedule.Known(WorkTimes(due: due), limit: state.limit(at: now))], askedAt: state.askedAt,
        at: now)
      guard !schedule.due(at: now).isEmpty else { continue }
      if now >= end { (used, end) = (0, now + .seconds(900)) }
      used += 1
      requests += 1
      #expect(used <= 14, "one request is reserved for the user")
      let fails = Int.random(in: 0..<10, using: &generator) == 0
      state.rateLimit =
        fails ? state.limit(at: now)?.spent(1, at: now) : RateLimit(limit: 15, remaining: 15 - used, reset: end)
      let plan = Pacing(interval: interval).next(
        after: .ended(fails ? .transient(until: nil) : .served(hasMore: false)),
        plan: Pacing.Plan(due: due, failures: state[.home].failures), limit: state.rateLimit, now: now,
        using: &generator
      ).plan
      state[.home].nextRefreshAt = plan.due
      state[.home].failures = plan.failures
      state.askedAt = now
    }
    // The simulation covers 64 windows of 15 minutes.
    #expect(requests >= 64 * (interval == .seconds(15) ? 11 : 7))
  }
}
