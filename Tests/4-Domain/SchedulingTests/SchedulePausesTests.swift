import Settings
import TestSupport
import Testing
import Time
import Timeline

@testable import Scheduling

/// The pauses of the schedule. However a job ends, and whatever is planned after it, the next job does not start too early.
@Suite struct SchedulePausesTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let account = AccountName("one")!
  private static let member = Schedule.Member(
    account: account, host: "a.example", application: "key",
    timelines: [.home: Schedule.Member.Terms(interval: .seconds(90))])

  private static let outcomes: [RefreshOutcome] = [
    .served(hasMore: false), .served(hasMore: true), .held(until: start), .limited(until: start),
    .transient(until: nil), .transient(until: start), .paused(until: start), .budget(until: start),
  ]

  @Test("a request planned in the past starts no earlier than the shortest pause after the previous request")
  func plansInThePast() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      var schedule = Schedule()
      schedule.put(
        Self.member, [.home: Schedule.Known(WorkTimes(due: Self.start, filling: Self.start))], at: Self.start)
      var now = Self.start
      var last: [Work: Timestamp] = [:]
      for _ in 0..<40 {
        for begun in schedule.due(at: now) {
          let pause = begun.work == .fill ? Backoff.betweenPages : Backoff.shortest
          if let before = last[begun.work] { #expect(now - before >= pause, "\(begun.work)") }
          last[begun.work] = now
          now = now + .milliseconds(Int64.random(in: 0...3000, using: &generator))
          let outcome = Self.outcomes.randomElement(using: &generator)!
          // These are the times in a database that could not be written.
          let stale = WorkTimes(due: Self.start, filling: Self.start)
          if begun.work == .renew {
            schedule.renewed(Self.account, next: Self.start, hasFailed: !outcome.isGood, isFinal: false, at: now)
          } else {
            schedule.ended(

              .home(of: Self.account),
              Schedule.Ending(outcome: outcome, limit: nil, next: stale, renewal: Self.start), at: now,
              using: &generator)
          }
          // Neither a reload of unchanged settings nor a recovered storage makes any work due earlier.
          schedule.put(Self.member, [.home: Schedule.Known(stale)], renewal: Self.start, at: now)
          schedule.replan(Self.account, [.home: stale], renewal: Self.start)
        }
        // Setting the clock shifts all times but does not change any pause.
        if Int.random(in: 0..<10, using: &generator) == 0 {
          let jump = Duration.seconds(Int64.random(in: -90_000...90_000, using: &generator))
          now = now + jump
          last = last.mapValues { $0 + jump }
          schedule.shift(by: jump)
        }
        guard let next = schedule.nextWakeUp(after: now) else { break }
        now = max(now, next)
      }
    }
  }

  @Test("a failed page of a gap is retried after the shortest pause, and no refresh starts earlier")
  func failedPage() {
    var generator = SeededGenerator(seed: 1)
    var schedule = Schedule()
    schedule.put(
      Self.member, [.home: Schedule.Known(WorkTimes(due: Self.start + .seconds(60), filling: Self.start))],
      at: Self.start)
    #expect(schedule.due(at: Self.start).map(\.work) == [.fill])
    let end = Self.start + .seconds(2)
    schedule.ended(
      .home(of: Self.account),
      Schedule.Ending(
        outcome: .transient(until: nil), limit: nil, next: WorkTimes(due: Self.start, filling: Self.start)),
      at: end, using: &generator)
    #expect(
      schedule.moments(of: Self.account, .home) == WorkTimes(due: end + .seconds(15), filling: end + .seconds(15)))
  }

  @Test("a pause after a failure applies only to the failing server, and does not delay work on a new server")
  func anotherServer() {
    var generator = SeededGenerator(seed: 1)
    var schedule = Schedule()
    schedule.put(Self.member, [.home: Schedule.Known(WorkTimes(due: Self.start))], at: Self.start)
    _ = schedule.due(at: Self.start)
    schedule.ended(
      .home(of: Self.account),
      Schedule.Ending(outcome: .transient(until: nil), limit: nil, next: WorkTimes(due: Self.start)),
      at: Self.start, using: &generator)
    let other = Schedule.Member(
      account: Self.account, host: "b.example", application: "key",
      timelines: [.home: Schedule.Member.Terms(interval: .seconds(90))])
    schedule.put(other, [.home: Schedule.Known(WorkTimes(due: Self.start))], at: Self.start)
    #expect(schedule.moments(of: Self.account, .home)?.due == Self.start)
  }
}
