import TestSupport
import Testing
import Time
import Timeline

@testable import Scheduling

/// All situations where the schedule decides when an account is asked next, one per row. The interval is 90 s, and no jitter is drawn.
@Suite struct PacingDecisionTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  private static func moment(_ seconds: Int64) -> Timestamp { now + .seconds(seconds) }

  /// A situation and what follows from it. All times are seconds from now.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let event: Pacing.Event
    var work = Work.refresh
    /// The plan before: the next refresh, the failures, and whether only the user could change them.
    var due: Int64? = 30
    var failures = 0
    var wasFinal = false
    /// The requests left in a window that ends in 900 s.
    var left: Int?
    var isScarce = false

    let next: Int64?
    let reason: Pacing.Reason
    var failuresAfter = 0
    /// The floors of refreshes, pages of gaps and renewals.
    var floors: [Int64?] = [nil, nil, nil]
    var wait: Pacing.Wait?
  }

  private static let failed: [Int64?] = [15, 15, nil]

  private static let rows = [
    // Work has started.
    Row(
      testDescription: "a refresh started", event: .started, next: 30, reason: .plan, floors: [15, 2, nil]),
    Row(
      testDescription: "the user's refresh started", event: .started, work: .user, next: 30, reason: .plan,
      floors: [15, 2, nil]),
    Row(
      testDescription: "a page of a gap started", event: .started, work: .fill, next: 30, reason: .plan,
      floors: [nil, 2, nil]),
    Row(
      testDescription: "a renewal started", event: .started, work: .renew, next: 30, reason: .plan,
      floors: [nil, nil, 15]),
    // The provider responded.
    Row(
      testDescription: "a timeline after failures", event: .ended(.served(hasMore: true)), failures: 5, next: 90,
      reason: .interval),
    Row(
      testDescription: "a timeline, few requests left", event: .ended(.served(hasMore: false)), left: 5, next: 180,
      reason: .window),
    Row(
      testDescription: "a timeline, only the user's request left", event: .ended(.served(hasMore: false)), left: 1,
      next: 901, reason: .window),
    Row(
      testDescription: "a page of a gap", event: .ended(.served(hasMore: true)), work: .fill, left: 12, next: 30,
      reason: .plan),
    Row(
      testDescription: "a page of a gap, only the user's request left", event: .ended(.served(hasMore: true)),
      work: .fill, left: 1, next: 901, reason: .window),
    // The provider refused for some time.
    Row(
      testDescription: "a limit", event: .ended(.limited(until: moment(60))), next: 61, reason: .limit,
      failuresAfter: 1, floors: failed, wait: Pacing.Wait(.limit, .window, until: moment(61))),
    Row(
      testDescription: "a limit that has already ended", event: .ended(.limited(until: now)), next: 15, reason: .limit,
      failuresAfter: 1, floors: failed, wait: Pacing.Wait(.limit, .window, until: moment(1))),
    Row(
      testDescription: "a limit for a month", event: .ended(.limited(until: moment(2_592_000))), next: 86_401,
      reason: .limit, failuresAfter: 1, floors: failed,
      wait: Pacing.Wait(.limit, .window, until: moment(86_401))),
    Row(
      testDescription: "an error with a time", event: .ended(.transient(until: moment(40))), next: 40,
      reason: .retryAfter, failuresAfter: 1, floors: failed,
      wait: Pacing.Wait(.limit, .host, until: moment(40))),
    Row(
      testDescription: "the third error with a time", event: .ended(.transient(until: moment(20))), failures: 2,
      next: 30, reason: .retryAfter, failuresAfter: 3, floors: failed,
      wait: Pacing.Wait(.limit, .host, until: moment(20))),
    Row(
      testDescription: "an error without a time", event: .ended(.transient(until: nil)), next: 15, reason: .failures,
      failuresAfter: 1, floors: failed),
    Row(
      testDescription: "the eighth error", event: .ended(.transient(until: nil)), failures: 7, next: 1800,
      reason: .failures, failuresAfter: 8, floors: failed),
    Row(
      testDescription: "an error, only the user's request left", event: .ended(.transient(until: nil)), left: 1,
      next: 901, reason: .failures, failuresAfter: 1, floors: failed),
    Row(
      testDescription: "an error of a page of a gap", event: .ended(.transient(until: nil)), work: .fill, next: 30,
      reason: .failures, failuresAfter: 1, floors: failed),
    Row(
      testDescription: "an error of a renewal", event: .ended(.transient(until: nil)), work: .renew, next: 15,
      reason: .failures, failuresAfter: 1, floors: [nil, nil, 15]),
    Row(
      testDescription: "a demand for payment", event: .ended(.paused(until: nil)), failures: 3, next: 3600,
      reason: .payment, floors: failed, wait: Pacing.Wait(.pause, .application, until: moment(3600))),
    Row(
      testDescription: "a demand for payment with a time", event: .ended(.paused(until: moment(7200))), next: 7200,
      reason: .payment, floors: failed, wait: Pacing.Wait(.pause, .application, until: moment(7200))),
    Row(
      testDescription: "the user's own budget is used up", event: .ended(.budget(until: moment(500)), requests: 0),
      next: 500, reason: .budget, floors: failed, wait: Pacing.Wait(.limit, .budget, until: moment(500))),
    // Only the user can solve the problem.
    Row(
      testDescription: "a refused login", event: .ended(.permanent(.needsLogin)), next: 3600, reason: .user,
      failuresAfter: 1, floors: failed),
    Row(
      testDescription: "a refused login after other errors", event: .ended(.permanent(.needsLogin)), failures: 6,
      next: 3600, reason: .user, failuresAfter: 1, floors: failed),
    Row(
      testDescription: "the third refused login", event: .ended(.permanent(.locked)), failures: 2, wasFinal: true,
      next: 14_400, reason: .user, failuresAfter: 3, floors: failed),
    Row(
      testDescription: "a refused login where requests cost money", event: .ended(.permanent(.closed)),
      isScarce: true, next: 86_400, reason: .user, failuresAfter: 1, floors: failed),
    Row(
      testDescription: "an error after refused logins", event: .ended(.transient(until: nil)), failures: 4,
      wasFinal: true, next: 15, reason: .failures, failuresAfter: 1, floors: failed),
    Row(
      testDescription: "no login, and no request", event: .ended(.permanent(.needsLogin), requests: 0), next: nil,
      reason: .user, failuresAfter: 1, floors: failed),
    // No request was sent.
    Row(
      testDescription: "a known limit", event: .ended(.held(until: moment(60))), failures: 2, next: 60, reason: .limit,
      failuresAfter: 2, floors: failed, wait: Pacing.Wait(.limit, .window, until: moment(61))),
    Row(
      testDescription: "a known limit that ends before the planned time", event: .ended(.held(until: moment(20))),
      next: 30, reason: .limit, floors: failed, wait: Pacing.Wait(.limit, .window, until: moment(21))),
    Row(
      testDescription: "a file that cannot be used", event: .ended(.unusable(isDisk: false)), failures: 1, next: 90,
      reason: .file, failuresAfter: 1, floors: failed),
    Row(
      testDescription: "a full disk", event: .ended(.unusable(isDisk: true)), next: 20, reason: .file, floors: failed),
    Row(
      testDescription: "a cancelled refresh", event: .ended(.cancelled), next: 0, reason: .repetition, floors: failed),
    // Data was stored later.
    Row(
      testDescription: "stored 20 s after the request", event: .stored(askedAt: moment(-20)), failures: 3, next: 70,
      reason: .interval),
    Row(
      testDescription: "stored long after the request", event: .stored(askedAt: moment(-500)), next: 0,
      reason: .interval),
  ]

  @Test("each situation determines the next refresh, the reason, and what else waits", arguments: rows)
  func decisions(row: Row) {
    let decision = Pacing(interval: .seconds(90), isScarce: row.isScarce).next(
      after: row.event, of: row.work,
      plan: Pacing.Plan(due: row.due.map(Self.moment), failures: row.failures, isFinal: row.wasFinal),
      limit: row.left.map { RateLimit(limit: 15, remaining: $0, reset: Self.moment(900)) }, now: Self.now)
    #expect(decision.plan.due == row.next.map(Self.moment))
    #expect(decision.reason == row.reason)
    if row.event != .started { #expect(decision.plan.failures == row.failuresAfter) }
    let floors = [decision.floors.due, decision.floors.filling, decision.renewalFloor]
    #expect(floors == row.floors.map { $0.map(Self.moment) })
    #expect(decision.wait == row.wait)
  }

  @Test("accounts that wait for the same thing draw jitter, but what the schedule itself decides has none")
  func jitter() {
    var generator = SeededGenerator(seed: 3)
    let pacing = Pacing(interval: .seconds(90))
    let event = Pacing.Event.ended(.limited(until: Self.moment(60)))
    let drawn = (0..<20).map { _ in
      pacing.next(after: event, plan: Pacing.Plan(due: nil, failures: 0), now: Self.now, using: &generator)
    }
    let exact = pacing.next(after: event, now: Self.now)
    #expect(Set(drawn.map(\.plan.due)).count > 10)
    #expect(drawn.allSatisfy { $0.plan.due! >= exact.plan.due! && $0.wait == exact.wait && $0.floors == exact.floors })
  }
}
