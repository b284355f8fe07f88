import Accounts
import Service
import Storage
import Testing
import Time
import Timeline

private let now = Timestamp(seconds: 1_800_000_000)

@Suite struct PacingStateTests {
  private func state(
    asked: Int64?, next: Int64?, problem: Problem.Code? = nil, limit: RateLimit? = nil, failures: Int = 0
  ) -> AccountState {
    AccountState(
      rateLimit: limit, askedAt: asked.map { now + .seconds($0) },
      timelines: [
        .home: TimelineState(
          nextRefreshAt: next.map { now + .seconds($0) }, problem: problem.map { Problem(code: $0, message: "") },
          failures: failures)
      ])
  }

  private func due(_ state: AccountState, interval: Int64 = 90, isFresh: Bool = false) -> Duration? {
    state.due(.home, at: now, interval: .seconds(interval), isFresh: isFresh).map { $0 - now }
  }

  @Test("an account that has never sent a request is due immediately")
  func new() {
    #expect(due(AccountState()) == .zero)
  }

  @Test("another process's plan for the next request is kept")
  func kept() {
    #expect(due(state(asked: -20, next: 70)) == .seconds(70))
    #expect(due(state(asked: -20, next: 600, problem: .network, failures: 6)) == .seconds(600))
    #expect(due(state(asked: -500, next: -410)) == .seconds(-410))
  }

  @Test("setting the clock back does not lengthen the pause before the next request")
  func setBack() {
    #expect(due(state(asked: 7200, next: 7290)) == .seconds(90))
    #expect(
      due(state(asked: 86_400 * 365, next: 86_400 * 365 + 600, problem: .rateLimited, failures: 1)) == .seconds(600))
    let limit = RateLimit(limit: 15, remaining: 0, reset: now + .seconds(7200 + 900))
    let limited = state(asked: 7200, next: 7290, limit: limit)
    #expect(limited.limit(at: now)?.reset == now + .seconds(900))
  }

  @Test("no request is planned more than a day ahead, regardless of stored times")
  func farAhead() {
    #expect(due(state(asked: -1, next: 86_400 * 40, problem: .network, failures: 1))! <= .seconds(86_406))
    let limit = RateLimit(limit: 15, remaining: 0, reset: now + .seconds(86_400 * 40))
    #expect(state(asked: -1, next: 90, limit: limit).limit(at: now) == nil)
  }

  @Test(
    "after a final failure, refreshes stop until the configuration changes; after a lost token, even then"
  )
  func permanent() {
    for code in [Problem.Code.notAuthorised, .configuration, .closed] {
      let state = state(asked: -100, next: nil, problem: code)
      #expect(due(state) == nil)
      #expect(due(state, isFresh: true) == (code == .notAuthorised ? nil : .zero))
    }
  }

  @Test("a shorter refresh interval counts from the last request, as far as the rate-limit window allows")
  func shorter() {
    #expect(due(state(asked: -60, next: 3540), interval: 90) == .seconds(30))
    let limit = RateLimit(limit: 15, remaining: 1, reset: now + .seconds(300))
    #expect(due(state(asked: -60, next: 3540, limit: limit), interval: 90)! > .seconds(300))
    #expect(due(state(asked: -60, next: 3540, problem: .provider, failures: 9), interval: 90) == .seconds(3540))
  }
}
