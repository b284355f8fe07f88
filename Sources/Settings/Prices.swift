/// What a provider charges for what it delivers, in millionths of a US dollar.
package struct Prices: Sendable, Hashable {
  /// The day on which they were read on the provider's pages, such as `2026-08-22`.
  package var readOn: String
  package var microUSDPerPost: Int64
  package var microUSDPerUser: Int64
  /// The most that one post of a page can bring: itself, and those that come along.
  package var postsWithOne: Int
  /// The most users that one post of a page can bring.
  package var usersWithOne: Int
  /// The most posts that one request can bring, without those that come along.
  package var pageSize: Int

  package init(
    readOn: String, microUSDPerPost: Int64, microUSDPerUser: Int64, postsWithOne: Int, usersWithOne: Int, pageSize: Int
  ) {
    self.readOn = readOn
    self.microUSDPerPost = microUSDPerPost
    self.microUSDPerUser = microUSDPerUser
    self.postsWithOne = postsWithOne
    self.usersWithOne = usersWithOne
    self.pageSize = pageSize
  }

  /// X's API v2, pay per use: 0.005 for a post and 0.010 for a user
  /// ([X's pages](https://docs.x.com/x-api/getting-started/pricing)). They do not say whether users that come along are charged
  /// for; here they are taken as if.
  ///
  /// A post can bring the one that it answers and the one that it quotes, each with its author. A repost brings one
  /// other, and what comes along brings nothing more.
  package static let x = Prices(
    readOn: "2026-08-22", microUSDPerPost: 5000, microUSDPerUser: 10_000, postsWithOne: 3, usersWithOne: 3,
    pageSize: 100)
}

extension Prices {
  /// The most that a page of one post can cost, in millionths of a US dollar.
  package var microUSDOfPageOfOne: Int64 {
    Int64(postsWithOne) * microUSDPerPost + Int64(usersWithOne) * microUSDPerUser
  }
}

/// The most that an account can cost in a month of 31 days, by its interval and its budget.
package struct MostOfMonth: Sendable, Hashable {
  /// What holds it there.
  package enum Bound: Sendable, Hashable {
    /// The budget's dollars of a month, or of a day, in millionths.
    case month(microUSD: Int64)
    case day(microUSD: Int64)
    /// The budget's posts of a day.
    case posts(Int)
    /// Nothing but how often it is asked: full pages at each refresh. A user's own refreshes come on top.
    case interval(Duration)
  }

  private static let longestMonth: Int64 = 31

  /// In millionths of a US dollar.
  package let microUSD: Int64
  package let bound: Bound
  package let prices: Prices

  package init(budget: Budget, interval: Duration, prices: Prices) {
    self.prices = prices
    let pages = 1 + 86_400 / max(1, interval.components.seconds)
    var days: [(microUSD: Int64, bound: Bound)] = [
      (pages * Int64(prices.pageSize) * prices.microUSDOfPageOfOne, .interval(interval))
    ]
    if let posts = budget.postsPerDay {
      // Each post comes with as many users as a page of one has for each of its posts.
      let users = (prices.usersWithOne + prices.postsWithOne - 1) / prices.postsWithOne
      days.append((Int64(posts) * (prices.microUSDPerPost + Int64(users) * prices.microUSDPerUser), .posts(posts)))
    }
    if let day = budget.microUSDPerDay { days.append((day, .day(microUSD: day))) }
    var months = days.map { ($0.microUSD * Self.longestMonth, $0.bound) }
    if let month = budget.microUSDPerMonth { months.append((month, .month(microUSD: month))) }
    let least = months.min { $0.0 < $1.0 } ?? (0, .interval(interval))
    (microUSD, bound) = least
  }
}

extension AccountSettings {
  /// The most that the account can cost in a month; `nil` where reading costs nothing.
  package var mostOfMonth: MostOfMonth? {
    prices.map { MostOfMonth(budget: budget, interval: refreshInterval, prices: $0) }
  }
}

extension MostOfMonth: CustomStringConvertible {
  /// Such as `at most 31.00 USD a month: 1.00 USD a day, prices read 2026-08-22`.
  package var description: String {
    let cause =
      switch bound {
      case .month: "the budget of a month"
      case .day(let microUSD): "\(MicroUSD.text(microUSD)) USD a day"
      case .posts(let posts):
        "\(posts) posts a day at \(MicroUSD.text(prices.microUSDPerPost)) USD, "
          + "with their authors at \(MicroUSD.text(prices.microUSDPerUser)) USD"
      case .interval(let interval):
        "a full page every \(interval.components.seconds) seconds, without a budget; each homeline refresh comes on top"
      }
    return "at most \(MicroUSD.text(microUSD)) USD a month: \(cause), prices read \(prices.readOn)"
  }
}
