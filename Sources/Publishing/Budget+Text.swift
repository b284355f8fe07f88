package import CivilTime
package import Settings
package import Storage

extension Budget {
  /// What was spent of which limit, a line each.
  package func words(of spent: SpendingRecord, at now: Timestamp) -> [String] {
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
