/// The most that an account can cost in a month of 31 days, given the intervals of its timelines and its budget.
package struct MonthlyCost: Sendable, Hashable {
  /// The limit that determines the amount.
  enum Bound: Sendable, Hashable {
    /// The budget's limit per month, or per day, in millionths of a US dollar.
    case month(microUSD: Int64)
    case day(microUSD: Int64)
    /// The budget's maximum number of posts per day.
    case posts(Int)
    /// The intervals of the timelines, if each refresh returns a full page. Refreshes that the user requests are not included.
    case intervals([Duration])
  }

  private static let longestMonth: Int64 = 31

  /// The amount in millionths of a US dollar.
  package let microUSD: Int64
  let bound: Bound
  package let prices: Prices

  init(budget: Budget, intervals: [Duration], prices: Prices) {
    self.prices = prices
    let pages = intervals.reduce(0) { $0 + 1 + 86_400 / max(1, $1.components.seconds) }
    var days: [(microUSD: Int64, bound: Bound)] = [
      (pages * Int64(prices.pageSize) * prices.microUSDOfPageOfOne, .intervals(intervals))
    ]
    if let posts = budget.postsPerDay {
      // The number of users per post is taken from the most expensive page with a single post.
      let users = (prices.usersWithOne + prices.postsWithOne - 1) / prices.postsWithOne
      days.append((Int64(posts) * (prices.microUSDPerPost + Int64(users) * prices.microUSDPerUser), .posts(posts)))
    }
    if let day = budget.microUSDPerDay { days.append((day, .day(microUSD: day))) }
    var months = days.map { ($0.microUSD * Self.longestMonth, $0.bound) }
    if let month = budget.microUSDPerMonth { months.append((month, .month(microUSD: month))) }
    let least = months.min { $0.0 < $1.0 } ?? (0, .intervals(intervals))
    (microUSD, bound) = least
  }
}

extension MonthlyCost: CustomStringConvertible {
  /// Text such as `at most 31.00 USD a month: 1.00 USD a day, prices as of 2026-08-22`.
  package var description: String {
    let cause =
      switch bound {
      case .month: "the monthly budget"
      case .day(let microUSD): "\(MicroUSD.text(microUSD)) USD a day"
      case .posts(let posts):
        "\(posts) posts a day at \(MicroUSD.text(prices.microUSDPerPost)) USD, "
          + "with their authors at \(MicroUSD.text(prices.microUSDPerUser)) USD; posts that you publish add to this"
      case .intervals(let intervals):
        "\(Self.pages(every: intervals)), without a budget; each homeline refresh and each post that you publish adds to this"
      }
    return "at most \(MicroUSD.text(microUSD)) USD a month: \(cause), prices as of \(prices.readOn)"
  }

  private static func pages(every intervals: [Duration]) -> String {
    let seconds = intervals.map { "\($0.components.seconds)" }
    let times =
      seconds.count < 2 ? seconds.joined() : seconds.dropLast().joined(separator: ", ") + " and " + (seconds.last ?? "")
    return "a full page every \(times) seconds"
  }
}
