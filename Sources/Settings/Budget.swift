/// An account's spending limits if reading costs money; each is `nil` for no limit. Days and months are in UTC.
package struct Budget: Sendable, Hashable {
  /// The number of posts that may be delivered per day, including referenced ones.
  package var postsPerDay: Int?
  /// In millionths of a US dollar.
  package var microUSDPerDay: Int64?
  /// In millionths of a US dollar.
  package var microUSDPerMonth: Int64?

  package init(postsPerDay: Int? = nil, microUSDPerDay: Int64? = nil, microUSDPerMonth: Int64? = nil) {
    self.postsPerDay = postsPerDay
    self.microUSDPerDay = microUSDPerDay
    self.microUSDPerMonth = microUSDPerMonth
  }
}

/// A provider's prices, in millionths of a US dollar.
package struct Prices: Sendable, Hashable {
  /// The day on which the prices were read on the provider's pages, such as `2026-08-22`.
  package var readOn: String
  package var microUSDPerPost: Int64
  package var microUSDPerUser: Int64
  /// The maximum number of posts delivered for one post on a page: the post itself, and those it refers to.
  package var postsWithOne: Int
  /// The maximum number of users delivered with one post on a page.
  package var usersWithOne: Int
  /// The maximum number of posts on one page, without referenced ones.
  package var pageSize: Int

  init(
    readOn: String, microUSDPerPost: Int64, microUSDPerUser: Int64, postsWithOne: Int, usersWithOne: Int, pageSize: Int
  ) {
    self.readOn = readOn
    self.microUSDPerPost = microUSDPerPost
    self.microUSDPerUser = microUSDPerUser
    self.postsWithOne = postsWithOne
    self.usersWithOne = usersWithOne
    self.pageSize = pageSize
  }

  /// X's v2 API, pay per use: 0.005 for a post and 0.010 for a user ([X's
  /// pages](https://docs.x.com/x-api/getting-started/pricing)). The pages do not say whether included users are charged; here
  /// they are assumed to be.
  ///
  /// A post can include the one that it replies to and the one that it quotes, each with its author. A repost includes one other
  /// post, and included posts include nothing more.
  package static let x = Prices(
    readOn: "2026-08-22", microUSDPerPost: 5000, microUSDPerUser: 10_000, postsWithOne: 3, usersWithOne: 3,
    pageSize: 100)
}

extension Prices {
  /// The maximum cost of a page with one post, in millionths of a US dollar.
  package var microUSDOfPageOfOne: Int64 {
    Int64(postsWithOne) * microUSDPerPost + Int64(usersWithOne) * microUSDPerUser
  }
}
