package import Time

/// The spending on one day: posts delivered, and reservations for responses that have not arrived.
package struct SpendingDay: Sendable, Hashable {
  package var day: CivilDay
  package var requests: Int
  /// The number of delivered posts, including quoted and reposted ones. Each post counts once a day.
  package var posts: Int
  package var users: Int
  /// The cost of these posts, in millionths of a US dollar.
  package var microUSD: Int64
  /// The maximum number of posts in pending or lost responses.
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
