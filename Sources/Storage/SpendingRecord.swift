package import CivilTime

/// The daily spending of an account.
package struct SpendingRecord: Sendable, Hashable {
  /// The number of days recorded: this month's days and all of the previous month's.
  package static let daysKept: Int64 = 62

  /// The days in chronological order, with at most one entry per day.
  package let days: [SpendingDay]

  package init(days: [SpendingDay] = []) { self.days = days }

  /// Returns the day that new spending is added to. If the clock is set back across midnight, the day does not change; otherwise
  /// yesterday's budget could be spent again. A stored day more than one day ahead was recorded while the clock was wrong, and is
  /// discarded.
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

/// The spending on one day: posts delivered, and reservations for responses that have not arrived.
package struct SpendingDay: Sendable, Hashable {
  package var day: CivilDay
  package var requests: Int
  /// The number of delivered posts, including quoted and reposted ones. Each post counts once a day.
  package var posts: Int
  package var users: Int
  /// The cost of these posts, in millionths of a US dollar.
  package var microUSD: Int64
  /// The maximum number of posts that pending or lost responses may have delivered.
  package var reservedPosts: Int
  /// The maximum cost of these posts, in millionths of a US dollar.
  package var reservedMicroUSD: Int64

  package init(
    _ day: CivilDay, requests: Int = 0, posts: Int = 0, users: Int = 0, microUSD: Int64 = 0, reservedPosts: Int = 0,
    reservedMicroUSD: Int64 = 0
  ) {
    self.day = day
    self.requests = requests
    self.posts = posts
    self.users = users
    self.microUSD = microUSD
    self.reservedPosts = reservedPosts
    self.reservedMicroUSD = reservedMicroUSD
  }

  /// The number of posts that count as delivered. A response that never arrived may have been charged for.
  package var countedPosts: Int { posts.saturatingSum(reservedPosts) }

  /// The cost that counts as spent, in millionths of a US dollar.
  package var countedMicroUSD: Int64 { microUSD.saturatingSum(reservedMicroUSD) }
}

extension FixedWidthInteger {
  /// Returns the sum of two non-negative amounts, or the largest number on overflow.
  func saturatingSum(_ other: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
