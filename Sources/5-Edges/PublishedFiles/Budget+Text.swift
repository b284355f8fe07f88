internal import Settings
internal import Storage
internal import Time

extension Budget {
  /// Returns the amounts spent and their limits, one per line.
  func lines(of spent: SpendingRecord, at now: Timestamp) -> [String] {
    let today = spent.today(at: now)
    let month = spent.microUSDOfMonth(at: now)
    return [
      "\(today.countedPosts)\(postsPerDay.map { " of \($0)" } ?? "") posts today",
      "\(MicroUSD.text(today.countedMicroUSD))\(of(microUSDPerDay)) USD today",
      "\(MicroUSD.text(month))\(of(microUSDPerMonth)) USD this month",
    ]
  }

  private func of(_ limit: Int64?) -> String { limit.map { " of \(MicroUSD.text($0))" } ?? "" }
}
