internal import Settings
package import Storage
package import Time
package import Timeline

/// An account's remaining budget at a given time. Days and months are in UTC, as X bills them.
package struct RemainingBudget: Sendable, Hashable {
  /// The request that the budget allows.
  package enum Allowance: Sendable, Hashable {
    /// A page of at most `count` posts. Including the posts they refer to, the response can contain `posts` posts and cost `microUSD`.
    case page(count: Int, posts: Int, microUSD: Int64)
    /// No request is possible, because any would exceed this limit.
    case nothing(SpendingLimit)
  }

  let limits: [SpendingLimit]
  let day: CivilDay
  let now: Timestamp
  private let prices: Prices?

  package init(_ rules: SpendingRules, _ record: SpendingRecord, at now: Timestamp) {
    let today = record.today(at: now)
    let month = record.microUSDOfMonth(at: now)
    self.now = now
    day = today.day
    prices = rules.prices
    func limit(_ kind: SpendingLimit.Kind, _ allowed: Int64?, _ used: Int64, _ cost: Int64) -> SpendingLimit? {
      allowed.map { SpendingLimit(kind, allowed: $0, used: used, costOfOne: cost) }
    }
    var limits = [limit(.requestsOfDay, rules.requestsPerDay.map(Int64.init), Int64(today.requests), 1)]
    if let prices = rules.prices {
      let budget = rules.budget
      limits += [
        limit(
          .postsOfDay, budget.postsPerDay.map(Int64.init), Int64(today.countedPosts), Int64(prices.postsWithOne)),
        limit(.microUSDOfDay, budget.microUSDPerDay, today.countedMicroUSD, prices.microUSDOfPageOfOne),
        limit(.microUSDOfMonth, budget.microUSDPerMonth, month, prices.microUSDOfPageOfOne),
      ]
    }
    self.limits = limits.compactMap(\.self)
  }

  /// Returns the request that the budget allows if a page with this many posts is wanted.
  ///
  /// A page uses at most half of the remaining budget: if its response never arrives, the reserved amount counts as spent, and must not use
  /// up the day's budget.
  package func allowance(for wanted: Int) -> Allowance {
    if let limit = limits.first(where: \.isUsedUp) { return .nothing(limit) }
    let most = limits.compactMap(\.posts).min().map { max(1, Int(clamping: $0 / 2)) }
    let count = min(wanted, most ?? wanted)
    guard let prices else { return .page(count: count, posts: 0, microUSD: 0) }
    return .page(
      count: count, posts: count * prices.postsWithOne, microUSD: Int64(count) * prices.microUSDOfPageOfOne)
  }

  /// Returns whether gaps and older posts may be fetched. For posts and money, at least half of the day's limit must be left. For requests,
  /// more must be left than the day's remaining refreshes and one request by the user need.
  package func allowsFilling(refreshingEvery interval: Duration) -> Bool {
    limits.filter(\.isOfDay).allSatisfy { limit in
      if limit.kind != .requestsOfDay { return !limit.isPastHalf }
      return limit.left > 1 + rest / max(1, interval.components.seconds)
    }
  }

  /// The seconds left in the day.
  private var rest: Int64 { max(0, (day.next.start - now).components.seconds) }

  /// The start of the next day.
  package var nextDay: Timestamp { day.next.start }

  /// Returns when a limit is reset.
  func end(of limit: SpendingLimit) -> Timestamp { (limit.isOfDay ? day.next : day.firstOfNextMonth).start }

  /// Returns the interval between refreshes. Once more than half of a day's limit is used up, this may be longer than the user's interval,
  /// so that the budget lasts until the end of the day.
  ///
  /// The remaining requests are spread evenly. For posts and money, the whole limit is assumed to last for a day at the user's interval. If
  /// less is left than the share for the rest of the day, the interval grows in proportion.
  package func stretched(_ interval: Duration) -> Duration {
    let rest = rest
    let seconds = limits.filter { $0.isOfDay && $0.isPastHalf }.map { limit -> Int64 in
      if limit.left < limit.costOfOne { return rest }
      if limit.kind == .requestsOfDay { return min(rest, rest / limit.left) }
      // The share is in millionths, so that no product overflows.
      let share = Int64((Int128(limit.left) * 1_000_000) / Int128(limit.allowed))
      let slower =
        Int128(interval.components.seconds) * Int128(rest) * 1_000_000 / Int128(CivilDay.seconds * max(1, share))
      return Int64(min(Int128(rest), slower))
    }
    return max(interval, .seconds(seconds.max() ?? 0))
  }
}

extension RemainingBudget {
  /// Returns the reason a request with a known price is not allowed; `nil` if it is allowed.
  /// - Parameters:
  ///   - microUSD: the maximum cost of the request, in millionths of a US dollar.
  ///   - posts: the maximum number of posts in the response.
  package func objection(toPaying microUSD: Int64, posts: Int = 0) -> Problem? {
    for limit in limits {
      let cost =
        switch limit.kind {
        case .requestsOfDay: Int64(1)
        case .postsOfDay: Int64(posts)
        case .microUSDOfDay, .microUSDOfMonth: microUSD
        }
      if limit.left >= cost { continue }
      if limit.kind == .requestsOfDay { return problem(of: limit) }
      let unit = limit.kind == .postsOfDay ? " posts" : ""
      if limit.allowed < cost {
        return Problem(
          code: .configuration,
          message:
            "this needs \(amount(cost, of: limit))\(unit), which is more than the account's \(name(of: limit)) of "
            + "\(amount(limit.allowed, of: limit)); raise that limit in the configuration")
      }
      let end = end(of: limit)
      return Problem(
        code: .budget,
        message: "this needs \(amount(cost, of: limit))\(unit), but \(amount(limit.left, of: limit)) of the account's "
          + "\(name(of: limit)) of \(amount(limit.allowed, of: limit)) are left. It continues automatically at "
          + "\(end.rfc3339)",
        retryAt: end)
    }
    return nil
  }

  /// Returns the problem to report when no request is possible until a limit is reset. Its message names the limit, the amount left, and
  /// the time when requests resume.
  package func problem(of limit: SpendingLimit) -> Problem {
    let end = end(of: limit)
    let goesOn = "Requests resume automatically at \(end.rfc3339)"
    if limit.kind == .requestsOfDay {
      return Problem(
        code: .rateLimited,
        message:
          "the \(limit.allowed) requests that the provider allows each user per day (UTC) have been used up. \(goesOn)",
        retryAt: end)
    }
    return Problem(
      code: .budget,
      message: "the account's \(name(of: limit)) is used up: \(amount(limit.left, of: limit)) of "
        + "\(amount(limit.allowed, of: limit)) are left, but one post with the posts it refers to can use "
        + "\(amount(limit.costOfOne, of: limit)). \(goesOn)",
      retryAt: end)
  }

  private func name(of limit: SpendingLimit) -> String {
    switch limit.kind {
    case .requestsOfDay: "number of requests per day"
    case .postsOfDay: "budget.posts_per_day"
    case .microUSDOfDay: "budget.usd_per_day"
    case .microUSDOfMonth: "budget.usd_per_month"
    }
  }

  private func amount(_ amount: Int64, of limit: SpendingLimit) -> String {
    switch limit.kind {
    case .requestsOfDay, .postsOfDay: "\(amount)"
    case .microUSDOfDay, .microUSDOfMonth: "\(MicroUSD.text(amount)) USD"
    }
  }
}

/// One spending limit, and the part of it that has been used up.
package struct SpendingLimit: Sendable, Hashable {
  /// The limited amount: requests, posts or money, per day or per month.
  package enum Kind: Sendable, Hashable {
    case requestsOfDay, postsOfDay, microUSDOfDay, microUSDOfMonth
  }

  let kind: Kind
  let allowed: Int64
  let used: Int64
  /// The most that a page with one post can use.
  let costOfOne: Int64

  init(_ kind: Kind, allowed: Int64, used: Int64, costOfOne: Int64) {
    self.kind = kind
    self.allowed = allowed
    self.used = used
    self.costOfOne = costOfOne
  }

  var left: Int64 { max(0, allowed - used) }

  var isOfDay: Bool { kind != .microUSDOfMonth }

  /// Whether more than half of the limit has been used up.
  var isPastHalf: Bool { used > allowed / 2 }

  /// The largest number of posts on a page that fits within the limit, including everything delivered with them; `nil` if a page's size
  /// does not matter.
  var posts: Int64? { kind == .requestsOfDay ? nil : left / costOfOne }

  /// Whether even the smallest page would exceed the limit.
  var isUsedUp: Bool { left < costOfOne }
}
