internal import CivilTime
internal import Settings
internal import Store

/// What an account has cost and can cost, as its files and its settings say.
struct AccountSpending {
  let today: SpendingDay
  /// This calendar month's, in millionths of a US dollar.
  let microUSDOfMonth: Int64
  /// `nil` where reading costs nothing, and while the settings are not known.
  let most: MostOfMonth?

  /// - Returns: `nil` where nothing is charged or counted.
  init?(of account: AccountStatus, at now: Timestamp) {
    most = account.settings?.mostOfMonth
    guard let record = account.spending, most != nil || !record.days.isEmpty else { return nil }
    today = record.today(at: now)
    microUSDOfMonth = record.microUSDOfMonth(at: now)
  }

  /// For people.
  var text: String {
    guard let most else { return "\(Self.count(today.requests, "request")) today" }
    return "\(MicroUSD.text(today.countedMicroUSD)) USD today (\(Self.count(today.countedPosts, "post")), "
      + "\(Self.count(today.users, "user"))), "
      + "\(MicroUSD.text(microUSDOfMonth)) USD this month; \(most)"
  }

  private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}
