package import CivilTime
package import Settings
package import Storage
package import Timeline

/// How much an account may still spend at a moment. Days and months are those of UTC, by which X charges.
package struct RemainingBudget: Sendable, Hashable {
  /// What a request may ask for.
  package enum Allowance: Sendable, Hashable {
    /// A page of so many posts at most, and the most that it can deliver and cost.
    case page(count: Int, posts: Int, microUSD: Int64)
    /// Nothing: this limit would be exceeded.
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

  /// What may be asked for by who would like a page of so many posts.
  ///
  /// A page takes half of what is left at most: an answer that never comes counts as spent, and must not end the day.
  package func allowance(for wanted: Int) -> Allowance {
    if let limit = limits.first(where: \.isUsedUp) { return .nothing(limit) }
    let most = limits.compactMap(\.posts).min().map { max(1, Int(clamping: $0 / 2)) }
    let count = min(wanted, most ?? wanted)
    guard let prices else { return .page(count: count, posts: 0, microUSD: 0) }
    return .page(
      count: count, posts: count * prices.postsWithOne, microUSD: Int64(count) * prices.microUSDOfPageOfOne)
  }

  /// Whether gaps and older posts may be asked for: of posts and money as long as half of the day's is left, of requests what
  /// is over after the refreshes until the day's end and one for the user.
  package func hasRoomForFilling(refreshingEvery interval: Duration) -> Bool {
    limits.filter(\.isOfDay).allSatisfy { limit in
      if limit.kind != .requestsOfDay { return !limit.isPastHalf }
      return limit.left > 1 + rest / max(1, interval.components.seconds)
    }
  }

  /// How many seconds of the day are left.
  private var rest: Int64 { max(0, (day.next.start - now).components.seconds) }

  /// When the next day begins.
  package var nextDay: Timestamp { day.next.start }

  /// When a limit begins anew.
  package func end(of limit: SpendingLimit) -> Timestamp { (limit.isOfDay ? day.next : day.firstOfNextMonth).start }

  /// The user's interval, or a longer one so that what is left lasts for the rest of the day, once more than half of
  /// what it allows is used up.
  ///
  /// Requests that are left are spread evenly. Of posts and money it is taken that they would last for a day at the user's
  /// interval; it grows by as much as there is less left than belongs to the rest of the day.
  package func stretched(_ interval: Duration) -> Duration {
    let rest = rest
    let seconds = limits.filter { $0.isOfDay && $0.isPastHalf }.map { limit -> Int64 in
      if limit.left < limit.costOfOne { return rest }
      if limit.kind == .requestsOfDay { return min(rest, rest / limit.left) }
      // In parts of a million, so that no product is too large.
      let share = Int64((Int128(limit.left) * 1_000_000) / Int128(limit.allowed))
      let slower =
        Int128(interval.components.seconds) * Int128(rest) * 1_000_000 / Int128(CivilDay.seconds * max(1, share))
      return Int64(min(Int128(rest), slower))
    }
    return max(interval, .seconds(seconds.max() ?? 0))
  }
}

extension RemainingBudget {
  /// Why nothing is asked any more before a limit begins anew: which one, what is left of it, and when it goes on.
  package func problem(of limit: SpendingLimit) -> Problem {
    let end = end(of: limit)
    let goesOn = "It goes on by itself at \(end.rfc3339)"
    if limit.kind == .requestsOfDay {
      return Problem(
        code: .rateLimited,
        message:
          "the \(limit.allowed) requests that the provider allows a user on one day (UTC) are used up. \(goesOn)",
        retryAt: end)
    }
    return Problem(
      code: .budget,
      message: "the account's \(name(of: limit)) is used up: \(amount(limit.left, of: limit)) of "
        + "\(amount(limit.allowed, of: limit)) are left, and one post with what comes along can take "
        + "\(amount(limit.costOfOne, of: limit)). \(goesOn)",
      retryAt: end)
  }

  private func name(of limit: SpendingLimit) -> String {
    switch limit.kind {
    case .requestsOfDay: "requests of this day"
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

/// One limit of what may be spent, and how much of it is used up.
package struct SpendingLimit: Sendable, Hashable {
  /// Of what.
  package enum Kind: Sendable, Hashable {
    case requestsOfDay, postsOfDay, microUSDOfDay, microUSDOfMonth
  }

  package let kind: Kind
  let allowed: Int64
  let used: Int64
  /// The most that a page of one post can take of it.
  let costOfOne: Int64

  package init(_ kind: Kind, allowed: Int64, used: Int64, costOfOne: Int64) {
    self.kind = kind
    self.allowed = allowed
    self.used = used
    self.costOfOne = costOfOne
  }

  var left: Int64 { max(0, allowed - used) }

  var isOfDay: Bool { kind != .microUSDOfMonth }

  /// Whether more than half of it is used up.
  var isPastHalf: Bool { used > allowed / 2 }

  /// How many posts a page can be asked for within it, whatever comes along; `nil` where a page's size does not matter.
  var posts: Int64? { kind == .requestsOfDay ? nil : left / costOfOne }

  /// Whether the smallest page is too much.
  var isUsedUp: Bool { left < costOfOne }
}

/// What an account may spend, and what asking costs.
package struct SpendingRules: Sendable, Hashable {
  let budget: Budget
  /// `nil` where reading costs nothing.
  let prices: Prices?
  /// How many requests a user may make on a day, where the provider counts them by days and does not tell.
  let requestsPerDay: Int?

  package init(budget: Budget = Budget(), prices: Prices? = nil, requestsPerDay: Int? = nil) {
    self.budget = budget
    self.prices = prices
    self.requestsPerDay = requestsPerDay
  }

  /// Whether requests are written down before they are sent.
  package var isCounted: Bool { prices != nil || requestsPerDay != nil }
}
