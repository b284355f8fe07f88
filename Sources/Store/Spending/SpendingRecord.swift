package import CivilTime

/// What an account has cost, day by day.
package struct SpendingRecord: Sendable, Hashable {
  /// How many days are kept: this month's and all of the one before.
  package static let daysKept: Int64 = 62

  /// In the order of time, each day once.
  package let days: [SpendingDay]

  package init(days: [SpendingDay] = []) { self.days = days }

  /// The day that counts. A clock set back across midnight begins no new day, since yesterday's room would then be spent twice; one
  /// that is off by more than a day was wrong before, and its day is given up.
  package func day(at now: Timestamp) -> CivilDay {
    let today = CivilDay(now)
    return days.contains { $0.day == today.next } ? today.next : today
  }

  /// What the day has cost until now.
  package func today(at now: Timestamp) -> SpendingDay {
    let day = day(at: now)
    return days.first { $0.day == day } ?? SpendingDay(day)
  }

  /// What the day's calendar month has cost until now, in millionths of a US dollar.
  package func microUSDOfMonth(at now: Timestamp) -> Int64 {
    let day = day(at: now)
    return days.filter { (day.firstOfMonth...day).contains($0.day) }
      .reduce(0) { $0.saturatingSum($1.countedMicroUSD) }
  }
}
