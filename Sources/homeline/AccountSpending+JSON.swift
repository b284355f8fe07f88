internal import CivilTime
internal import JSON
internal import Settings
internal import Store

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
