package import Time

/// The daily spending of an account.
package struct SpendingRecord: Sendable, Hashable {
  /// The number of days recorded: this month's days and all of the previous month's.
  package static let daysKept: Int64 = 62

  /// The days in chronological order, with at most one entry per day.
  package let days: [SpendingDay]

  package init(days: [SpendingDay] = []) { self.days = days }

  /// Returns the day that new spending is added to. If the clock is set back across midnight, the day does not change: yesterday's budget
  /// could otherwise be spent again. A stored day more than one day ahead was recorded while the clock was wrong, and is discarded.
  package func day(at now: Timestamp) -> CivilDay {
    let today = CivilDay(now)
    return days.contains { $0.day == today.next } ? today.next : today
  }

  /// Returns the current day's spending.
  package func today(at now: Timestamp) -> SpendingDay {
    let day = day(at: now)
    return days.first { $0.day == day } ?? SpendingDay(day)
  }

  /// Returns the spending in the current calendar month, in millionths of a US dollar.
  package func microUSDOfMonth(at now: Timestamp) -> Int64 {
    let day = day(at: now)
    return days.filter { (day.firstOfMonth...day).contains($0.day) }
      .reduce(0) { $0.saturatingSum($1.countedMicroUSD) }
  }
}
