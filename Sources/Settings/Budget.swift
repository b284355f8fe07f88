/// What an account may spend where reading costs money; each `nil` for no limit. Days and months are those of UTC.
package struct Budget: Sendable, Hashable {
  /// How many posts may be delivered on a day, those that come along included.
  package var postsPerDay: Int?
  /// In millionths of a US dollar.
  package var microUSDPerDay: Int64?
  /// In millionths of a US dollar.
  package var microUSDPerMonth: Int64?

  package init(postsPerDay: Int? = nil, microUSDPerDay: Int64? = nil, microUSDPerMonth: Int64? = nil) {
    self.postsPerDay = postsPerDay
    self.microUSDPerDay = microUSDPerDay
    self.microUSDPerMonth = microUSDPerMonth
  }
}

extension Budget {
  package static let keys = ["posts_per_day", "usd_per_day", "usd_per_month"]

  /// The account's budget: what it says, else what holds at its provider; none where nothing is charged.
  ///
  /// `null` lifts a limit. A number cannot do that, so that nobody spends without end by a slip of the hand.
  init(_ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems) {
    self = defaults?.budget ?? Budget()
    guard let member = values["budget"], let provider, let defaults else { return }
    guard defaults.prices != nil else {
      values.note("the provider \(provider) does not charge: leave it out", atKey: "budget", &problems)
      return
    }
    guard
      let limits = KeyedValues(
        member.value, path: values.path(of: "budget"), offset: member.offset, keys: Self.keys, &problems)
    else { return }
    if limits.has("posts_per_day") {
      postsPerDay =
        limits.isNull("posts_per_day")
        ? nil : limits.integer("posts_per_day", in: ProgramDefaults.postsPerDayRange, &problems).map { Int($0) }
    }
    if limits.has("usd_per_day") { microUSDPerDay = Self.amount("usd_per_day", limits, &problems) }
    if limits.has("usd_per_month") { microUSDPerMonth = Self.amount("usd_per_month", limits, &problems) }
  }

  private static func amount(_ key: String, _ values: KeyedValues, _ problems: inout Problems) -> Int64? {
    if values.isNull(key) { return nil }
    let expected =
      "an amount of US dollars above 0 and up to \(ProgramDefaults.highestBudget / MicroUSD.one), with 6 decimals at most, "
      + "or null"
    guard let text = values.number(key, orExpecting: expected, &problems) else { return nil }
    if let amount = MicroUSD.amount(text), (1...ProgramDefaults.highestBudget).contains(amount) { return amount }
    values.note("expected \(expected), found \(Shown.plain(text))", at: key, &problems)
    return nil
  }
}

/// US dollars as whole millionths, so that sums are exact.
package enum MicroUSD {
  /// A dollar.
  package static let one: Int64 = 1_000_000

  /// The amount that a decimal number says exactly.
  ///
  /// - Parameter text: a JSON number (RFC 8259 §6) without an exponent.
  /// - Returns: `nil` for one that is negative, has an exponent or more than six decimals, or is too large.
  package static func amount(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = digits(parts[0]) else { return nil }
    guard parts.count == 2 else { return scaled(whole, by: one) }
    guard (1...6).contains(parts[1].utf8.count), let decimals = digits(parts[1]) else { return nil }
    let scale = (parts[1].utf8.count..<6).reduce(into: Int64(1)) { scale, _ in scale *= 10 }
    guard let dollars = scaled(whole, by: one) else { return nil }
    let (sum, isTooLarge) = dollars.addingReportingOverflow(decimals * scale)
    return isTooLarge ? nil : sum
  }

  /// The amount as a decimal number with two to six decimals, such as `1.00` or `0.005`; a JSON number too.
  package static func text(_ amount: Int64) -> String {
    let magnitude = amount.magnitude
    var decimals = String(magnitude % UInt64(one))
    decimals = String(repeating: "0", count: 6 - decimals.utf8.count) + decimals
    while decimals.utf8.count > 2, decimals.hasSuffix("0") { decimals.removeLast() }
    return (amount < 0 ? "-" : "") + "\(magnitude / UInt64(one)).\(decimals)"
  }

  private static func digits(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }

  private static func scaled(_ value: Int64, by scale: Int64) -> Int64? {
    let (product, isTooLarge) = value.multipliedReportingOverflow(by: scale)
    return isTooLarge ? nil : product
  }
}
