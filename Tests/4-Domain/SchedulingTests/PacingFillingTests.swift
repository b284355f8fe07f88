import Testing
import Time
import Timeline

@testable import Scheduling

private let now = Timestamp(seconds: 1_800_000_000)

@Suite struct PacingFillingTests {
  private func wait(
    after outcome: RefreshOutcome, of work: Work = .fill, due: Int64 = 90, failures: Int = 0, remaining: Int? = nil,
    interval: Int64 = 90
  ) -> Duration? {
    Filling.next(
      after: outcome, of: work, plan: Pacing.Plan(due: now + .seconds(due), failures: failures),
      limit: remaining.map { RateLimit(limit: 15, remaining: $0, reset: now + .seconds(900)) },
      interval: .seconds(interval), now: now
    ).map { $0 - now }
  }

  @Test("no page is fetched if no posts are missing")
  func nothing() {
    #expect(wait(after: .served(hasMore: false)) == nil)
    #expect(wait(after: .served(hasMore: false), remaining: 15) == nil)
  }

  @Test(
    "a gap's next page follows soon if the window has more requests than refreshes and the user need")
  func surplus() {
    // Ten refreshes are due in 90, 180, … 900 s, and one request is reserved for the user.
    #expect(wait(after: .served(hasMore: true), remaining: 12) == .seconds(2))
    #expect(wait(after: .served(hasMore: true), of: .refresh, remaining: 12) == .seconds(2))
    #expect(wait(after: .served(hasMore: true), remaining: 11)! > .seconds(900))
    #expect(wait(after: .served(hasMore: true), remaining: 2, interval: 450)! > .seconds(900))
    #expect(wait(after: .served(hasMore: true), due: 3600, remaining: 2, interval: 3600) == .seconds(2))
  }

  @Test("without known limits, pages of a gap follow at a polite interval")
  func unknown() {
    #expect(wait(after: .served(hasMore: true)) == .seconds(10))
  }

  @Test("an outcome that stops refreshes also stops filling gaps until a refresh succeeds")
  func forbidden() {
    let until = now + .seconds(60)
    for outcome in [
      RefreshOutcome.limited(until: until), .transient(until: nil), .paused(until: nil), .budget(until: until),
      .permanent(.closed),
    ] {
      #expect(wait(after: outcome, of: .refresh, failures: 1) == nil)
    }
    #expect(wait(after: .budget(until: until)) == nil)
    #expect(wait(after: .paused(until: nil)) == nil)
    #expect(wait(after: .permanent(.needsLogin)) == nil)
  }

  @Test("a failed page of a gap is retried after the pauses in the table, regardless of the refresh interval")
  func failed() {
    #expect(wait(after: .transient(until: nil), failures: 2, interval: 86_400) == .seconds(30))
    #expect(wait(after: .transient(until: now + .seconds(500)), failures: 2) == .seconds(500))
    #expect(wait(after: .limited(until: now + .seconds(500)), failures: 2)! > .seconds(500))
  }
}
