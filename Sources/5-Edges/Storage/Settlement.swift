/// A response's actual cost, which replaces its reservation.
package struct Settlement: Sendable, Hashable {
  package let reservation: Reservation
  /// The ids of the returned posts. Each post is charged for only once a day.
  package let posts: [String]
  package let users: [String]
  /// The number of returned posts without an id. Each is charged for.
  package let namelessPosts: Int
  package let namelessUsers: Int
  /// The price of a post in millionths of a US dollar.
  package let microUSDPerPost: Int64
  package let microUSDPerUser: Int64
  /// The price of the request itself, in millionths of a US dollar.
  package let microUSD: Int64

  package init(
    _ reservation: Reservation, posts: [String] = [], users: [String] = [], namelessPosts: Int = 0,
    namelessUsers: Int = 0, microUSDPerPost: Int64 = 0, microUSDPerUser: Int64 = 0, microUSD: Int64 = 0
  ) {
    self.reservation = reservation
    self.posts = posts
    self.users = users
    self.namelessPosts = namelessPosts
    self.namelessUsers = namelessUsers
    self.microUSDPerPost = microUSDPerPost
    self.microUSDPerUser = microUSDPerUser
    self.microUSD = microUSD
  }
}
