import Settings
import Testing
import Time

@testable import Scheduling

@Suite("Warnings before logins expire") struct LoginExpiryTests {
  private let start = Timestamp(seconds: 1_790_000_000)
  private let bird = AccountName("bird")!

  private func day(_ number: Double) -> Timestamp { start + .milliseconds(Int64(number * 86_400_000)) }

  /// Advances the time from each warning to the next, and returns the days of the warnings.
  private func warnings(_ calendar: inout LoginExpiry) -> [Double] {
    var days: [Double] = []
    while let next = calendar.next {
      for warning in calendar.due(at: next) where warning.account == bird {
        days.append(Double((next - start).components.seconds) / 86400)
      }
    }
    return days
  }

  @Test("a login's expiry is announced 7 days, 3 days and 1 day ahead, once each")
  func warnings() {
    var calendar = LoginExpiry()
    calendar.note(bird, end: day(30))
    #expect(calendar.due(at: day(22.9)).isEmpty)
    #expect(warnings(&calendar) == [23, 27, 29])
    calendar.note(bird, end: day(30))
    #expect(calendar.next == nil && calendar.due(at: day(29.5)).isEmpty)
  }

  @Test("missed expiry warnings are combined into one, and none is given after the expiry")
  func late() {
    var calendar = LoginExpiry()
    calendar.note(bird, end: day(30))
    #expect(calendar.due(at: day(28)).map(\.end) == [day(30)])
    #expect(calendar.due(at: day(28)).isEmpty && calendar.next == day(29))
    #expect(calendar.due(at: day(31)).isEmpty && calendar.next == nil)
  }

  @Test("a new login restarts the warnings; a login that is renewed or never expires produces none")
  func renewed() {
    var calendar = LoginExpiry()
    calendar.note(bird, end: day(1))
    #expect(calendar.due(at: start).count == 1)
    calendar.note(bird, end: day(60))
    #expect(warnings(&calendar) == [53, 57, 59])
    calendar.note(bird, end: nil)
    #expect(calendar.next == nil && calendar.due(at: day(100)).isEmpty)
  }
}
