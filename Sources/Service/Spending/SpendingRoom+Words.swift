internal import CivilTime
internal import Settings
package import Timeline

extension SpendingRoom {
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
