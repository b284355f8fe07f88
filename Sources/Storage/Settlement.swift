package import CivilTime

/// What was put aside for an answer before it was asked for. Whoever gets the answer settles it; nobody's answer leaves it spent.
package struct Reservation: Sendable, Hashable {
  package let day: CivilDay
  package let posts: Int
  /// In millionths of a US dollar.
  package let microUSD: Int64

  package init(day: CivilDay, posts: Int, microUSD: Int64) {
    self.day = day
    self.posts = posts
    self.microUSD = microUSD
  }
}

/// What an answer has really brought, to take the place of what was put aside for it.
package struct Settlement: Sendable, Hashable {
  package let reservation: Reservation
  /// The ids of the posts that came, each of which is charged once a day.
  package let posts: [String]
  package let users: [String]
  /// How many came without an id: each is charged.
  package let namelessPosts: Int
  package let namelessUsers: Int
  /// In millionths of a US dollar.
  package let microUSDPerPost: Int64
  package let microUSDPerUser: Int64

  package init(
    _ reservation: Reservation, posts: [String] = [], users: [String] = [], namelessPosts: Int = 0,
    namelessUsers: Int = 0, microUSDPerPost: Int64 = 0, microUSDPerUser: Int64 = 0
  ) {
    self.reservation = reservation
    self.posts = posts
    self.users = users
    self.namelessPosts = namelessPosts
    self.namelessUsers = namelessUsers
    self.microUSDPerPost = microUSDPerPost
    self.microUSDPerUser = microUSDPerUser
  }
}
