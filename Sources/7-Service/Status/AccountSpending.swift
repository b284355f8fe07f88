internal import JSON
internal import Settings
internal import Storage
internal import Time

/// The amounts that an account has spent and may spend, according to its files and settings.
struct AccountSpending {
  let today: SpendingDay
  /// The amount spent in this calendar month, in millionths of a US dollar.
  let microUSDOfMonth: Int64
  /// The largest monthly cost; `nil` if reading is free or the settings are unknown.
  let most: MonthlyCost?

  /// Computes an account's spending; `nil` if nothing is charged or counted.
  init?(of account: AccountStatus, at now: Timestamp) {
    most = account.settings?.highestMonthlyCost
    guard let record = account.spending, most != nil || !record.days.isEmpty else { return nil }
    today = record.today(at: now)
    microUSDOfMonth = record.microUSDOfMonth(at: now)
  }

  /// The amount spent, as one line of text for the user.
  var text: String {
    guard let most else { return "\(Self.count(today.requests, "request")) today" }
    return "\(MicroUSD.text(today.countedMicroUSD)) USD today (\(Self.count(today.countedPosts, "post")), "
      + "\(Self.count(today.users, "user"))), "
      + "\(MicroUSD.text(microUSDOfMonth)) USD this month; \(most)"
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension AccountSpending {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("day", String(today.day.start.rfc3339.prefix(10)))
      json.member("requests", today.requests)
      json.member("posts", today.countedPosts)
      json.member("users", today.users)
      Self.write(today.countedMicroUSD, "usd", to: &json)
      Self.write(today.reservedMicroUSD, "usd_reserved", to: &json)
      Self.write(microUSDOfMonth, "usd_this_month", to: &json)
      Self.write(most?.microUSD, "most_usd_a_month", to: &json)
      json.member("prices_read_on", most?.prices.readOn)
    }
  }

  private static func write(_ amount: Int64?, _ name: String, to json: inout JSONWriter) {
    json.member(name, amount) { $0.raw(MicroUSD.text($1).utf8) }
  }
}
