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

/// What a day has cost: what was delivered, and what was put aside for answers that are not there.
package struct SpendingDay: Sendable, Hashable {
  package var day: CivilDay
  package var requests: Int
  /// Delivered, those that came along included; each once a day.
  package var posts: Int
  package var users: Int
  /// What these cost, in millionths of a US dollar.
  package var microUSD: Int64
  /// The most that answers can have brought which are under way, or never came.
  package var reservedPosts: Int
  /// And cost, in millionths of a US dollar.
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

  /// What counts as delivered: an answer that never came may have been charged.
  package var countedPosts: Int { posts.saturatingSum(reservedPosts) }

  /// What counts as spent.
  package var countedMicroUSD: Int64 { microUSD.saturatingSum(reservedMicroUSD) }
}

extension FixedWidthInteger {
  /// The sum of two amounts that are not negative, or the largest number where it is larger.
  package func saturatingSum(_ other: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
