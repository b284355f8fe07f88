import Accounts
import Scheduling
import Service
import TestSupport
import Testing
import Time
import Timeline

private let now = Timestamp(seconds: 1_800_000_000)

@Suite struct PacingTests {
  private func plan(
    after outcome: RefreshOutcome, of work: Work = .refresh, due: Timestamp? = nil, failures: Int = 0,
    limit: RateLimit? = nil, interval: Int64 = 90, seed: UInt64 = 1
  ) -> Pacing.Plan {
    var generator = SeededGenerator(seed: seed)
    return Pacing(interval: .seconds(interval)).next(
      after: .ended(outcome), of: work,
      plan: Pacing.Plan(due: due, failures: failures, isFinal: outcome.isFinal), limit: limit, now: now,
      using: &generator
    ).plan
  }

  private func wait(_ plan: Pacing.Plan) -> Duration? { plan.due.map { $0 - now } }

  @Test("after a response, the next refresh is due after the user's interval, and the failure count is reset")
  func regular() {
    for hasMore in [true, false] {
      let plan = plan(after: .served(hasMore: hasMore), failures: 5)
      #expect(plan == Pacing.Plan(due: now + .seconds(90), failures: 0))
    }
  }

  @Test("the pauses after failures are those in the table, plus up to a fifth of their length", arguments: 1...12)
  func table(failure: Int) {
    let pauses: [Int64] = [15, 30, 60, 120, 300, 600, 900, 1800]
    let pause = Duration.seconds(pauses[min(failure, pauses.count) - 1])
    var waits: Set<Duration> = []
    for seed in 1...200 {
      let plan = plan(after: .transient(until: nil), failures: failure - 1, seed: UInt64(seed))
      #expect(plan.failures == failure)
      let wait = wait(plan)!
      #expect(wait >= pause && wait <= pause + pause / 5)
      waits.insert(wait)
    }
    #expect(waits.count > 100, "accounts that failed together retry at different times")
  }

  @Test("a request is sent no earlier than the provider asked for, and at most a few seconds later")
  func retryAfter() {
    var generator = SeededGenerator(seed: 2)
    for seed in 1...500 {
      let until = now + .seconds(Int64.random(in: 0...86_400, using: &generator))
      for outcome in [RefreshOutcome.limited(until: until), .transient(until: until)] {
        let due = plan(after: outcome, seed: UInt64(seed)).due!
        #expect(due >= until)
        #expect(due - max(until, now + .seconds(18)) <= .seconds(6))
      }
    }
  }

  @Test("the pauses between requests grow if a provider keeps asking for an immediate retry")
  func retryAfterZero() {
    #expect(wait(plan(after: .limited(until: now)))! >= .seconds(15))
    #expect(wait(plan(after: .limited(until: now), failures: 5))! >= .seconds(300))
    #expect(wait(plan(after: .budget(until: now)))! >= .seconds(15))
  }

  @Test("a time given by the provider counts as at most a day ahead")
  func aDay() {
    let far = now + .seconds(86_400 * 30)
    for outcome in [
      RefreshOutcome.limited(until: far), .transient(until: far), .paused(until: far), .budget(until: far),
    ] {
      let wait = wait(plan(after: outcome))!
      #expect(wait >= .seconds(86_400) && wait <= .seconds(86_406))
    }
  }

  @Test("after a provider demands payment, the next request waits an hour, or longer if the provider asks for this")
  func paused() {
    #expect(wait(plan(after: .paused(until: nil)))! >= .seconds(3600))
    #expect(wait(plan(after: .paused(until: nil)))! <= .seconds(3605))
    #expect(wait(plan(after: .paused(until: now + .seconds(60))))! >= .seconds(3600))
    #expect(wait(plan(after: .paused(until: now + .seconds(7200))))! >= .seconds(7200))
  }

  @Test("if only the user can solve the problem, refreshes are due after 1, 2, 4, … hours, at most a day")
  func permanent() {
    for reason in [RefreshOutcome.Reason.needsLogin, .configuration, .closed, .locked] {
      for (failures, hours) in [1, 2, 4, 8, 16, 24, 24, 24].enumerated() {
        let wait = wait(plan(after: .permanent(reason), failures: failures))!
        #expect(wait >= .seconds(hours * 3600) && wait <= .seconds(hours * 3600 + 5), "\(reason), \(failures)")
      }
    }
  }

  @Test("where requests cost money or are counted, a problem that only the user can solve is checked daily")
  func permanentAndScarce() {
    var generator = SeededGenerator(seed: 1)
    let next = Pacing(interval: .seconds(90), isScarce: true).next(
      after: .ended(.permanent(.needsLogin)), plan: Pacing.Plan(due: nil, failures: 0), now: now, using: &generator
    ).plan
    #expect(wait(next)! >= .seconds(86_400) && wait(next)! <= .seconds(86_405))
  }

  @Test("a refresh interval that is long enough for the rate-limit window is left unchanged")
  func slowEnough() {
    let limit = RateLimit(limit: 15, remaining: 11, reset: now + .seconds(900))
    #expect(wait(plan(after: .served(hasMore: false), limit: limit)) == .seconds(90))
  }

  @Test("if the refresh interval is too short, the remaining requests are spread over the rest of the window")
  func steered() {
    let limit = RateLimit(limit: 15, remaining: 5, reset: now + .seconds(900))
    #expect(wait(plan(after: .served(hasMore: false), limit: limit)) == .seconds(180))
  }

  @Test("the last request in a rate-limit window is reserved for the user", arguments: [0, 1])
  func spare(remaining: Int) {
    let limit = RateLimit(limit: 15, remaining: remaining, reset: now + .seconds(600))
    for outcome in [RefreshOutcome.served(hasMore: false), .transient(until: nil)] {
      let wait = wait(plan(after: outcome, limit: limit))!
      #expect(wait >= .seconds(601) && wait <= .seconds(606))
    }
  }

  @Test(
    "the end of a rate-limit window is ignored if it has passed or is more than a day ahead",
    arguments: [-5, 86_401])
  func nonsense(reset: Int64) {
    let limit = RateLimit(limit: 15, remaining: 0, reset: now + .seconds(reset))
    #expect(wait(plan(after: .served(hasMore: false), limit: limit)) == .seconds(90))
  }

  @Test("fetching a page of a gap does not postpone a refresh, but failing to fetch it does")
  func filling() {
    let due = now + .seconds(3)
    let limit = RateLimit(limit: 15, remaining: 12, reset: now + .seconds(900))
    #expect(plan(after: .served(hasMore: true), of: .fill, due: due, limit: limit).due == due)
    #expect(plan(after: .transient(until: nil), of: .fill, due: due).due! >= now + .seconds(15))
    #expect(plan(after: .transient(until: nil), of: .fill, due: now + .seconds(80)).due == now + .seconds(80))
    let usedUp = RateLimit(limit: 15, remaining: 1, reset: now + .seconds(900))
    #expect(plan(after: .served(hasMore: true), of: .fill, due: due, limit: usedUp).due! >= now + .seconds(900))
  }

  @Test("each kind of problem has its own effect on the schedule", arguments: Problem.Code.allCases)
  func problems(code: Problem.Code) {
    let until = now + .seconds(60)
    let expected: RefreshOutcome =
      switch code {
      case .notAuthorised: .permanent(.needsLogin)
      case .configuration: .permanent(.configuration)
      case .closed: .permanent(.closed)
      case .locked: .permanent(.locked)
      case .rateLimited: .limited(until: until)
      case .paused: .paused(until: until)
      case .budget: .budget(until: until)
      case .network, .provider, .storage, .secretUnavailable: .transient(until: until)
      }
    #expect(RefreshOutcome(Problem(code: code, message: "", retryAt: until)) == expected)
  }

  @Test(
    "the lower of two remaining counts for a window is used, and a later window replaces an earlier one")
  func merging() {
    let stated = RateLimit(limit: 15, remaining: 7, reset: now + .seconds(60))
    let older = RateLimit(limit: 15, remaining: 9, reset: now + .seconds(60))
    let next = RateLimit(limit: 15, remaining: 14, reset: now + .seconds(960))
    #expect(stated.merged(with: older).remaining == 7)
    #expect(older.merged(with: stated).remaining == 7)
    #expect(stated.merged(with: next) == next)
    #expect(next.merged(with: stated) == next)
    #expect(stated.spent(9, at: now)?.remaining == 0)
    #expect(stated.spent(1, at: now + .seconds(61)) == nil)
    #expect(RateLimit.known(before: stated, stated: nil, requests: 2, at: now)?.remaining == 5)
    #expect(RateLimit.known(before: stated, stated: older, at: now)?.remaining == 7)
    #expect(RateLimit.known(before: nil, stated: nil, at: now) == nil)
    #expect(RateLimit.known(before: stated, stated: nil, at: now + .seconds(61)) == nil)
  }
}
