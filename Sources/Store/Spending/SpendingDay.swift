package import CivilTime

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
