package import CivilTime
package import Store

/// How many posts may still be fetched on a day, where each costs money. Days are those of UTC, by which X charges.
package struct DailyBudget: Sendable, Hashable {
  /// What one post of a page can cost at most: itself, the post that it answers, and the post that it quotes. A repost brings one
  /// other along, and what comes along brings nothing more.
  package static let costOfPost = 3

  /// How many posts a day may bring; `nil` for no limit.
  package let allowed: Int?
  private let spending: AccountState.Spending?

  /// - Parameter spending: what has been delivered, and on which day.
  package init(allowed: Int?, spending: AccountState.Spending?) {
    self.allowed = allowed
    self.spending = spending
  }

  /// How many posts may still be delivered today, those that come along included; `nil` for no limit.
  package func room(at now: Timestamp) -> Int? { allowed.map { max(0, $0 - spent(at: now)) } }

  /// How many posts a page may be asked for, so that it stays within the room whatever comes along: 0 to ask for nothing; `nil` for
  /// no limit.
  package func pageSize(at now: Timestamp) -> Int? { room(at: now).map { $0 / Self.costOfPost } }

  /// The spending after so many posts more.
  package func after(billed: Int, at now: Timestamp) -> AccountState.Spending {
    let (posts, isTooMany) = spent(at: now).addingReportingOverflow(max(0, billed))
    return AccountState.Spending(day: day(at: now), posts: isTooMany ? .max : posts)
  }

  /// When a new day's room begins, seen from a moment: the midnight after the day that counts.
  package func nextDay(after now: Timestamp) -> Timestamp { Timestamp(seconds: (day(at: now) + 1) * Self.secondsOfDay) }

  private static let secondsOfDay: Int64 = 86_400

  private func spent(at now: Timestamp) -> Int { spending.map { $0.day == day(at: now) ? $0.posts : 0 } ?? 0 }

  /// The day that counts. A clock set back across midnight begins no new day, since yesterday's room would then be spent twice; one
  /// that is off by more than a day was wrong before, and its day is given up.
  private func day(at now: Timestamp) -> Int64 {
    let today = Self.day(of: now)
    guard let spending, spending.day == today + 1 else { return today }
    return spending.day
  }

  private static func day(of moment: Timestamp) -> Int64 {
    let (quotient, remainder) = moment.seconds.quotientAndRemainder(dividingBy: secondsOfDay)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
