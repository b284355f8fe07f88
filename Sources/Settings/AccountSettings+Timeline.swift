/// How an account's timeline is kept; a provider without one takes none of it.
extension AccountSettings {
  /// Seconds between two refreshes; nil when the account does not say, or what it says is wrong.
  static func refreshSeconds(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Int64? {
    let key = "refresh_seconds"
    guard isWelcome(key, values, provider, defaults, &problems) else { return nil }
    let usual = ProgramDefaults.refreshSeconds
    guard let provider, let floor = defaults?.pollFloor else { return values.integer(key, in: usual, &problems) }
    guard let seconds = values.integer(key, in: 1...usual.upperBound, &problems) else { return nil }
    if seconds >= floor.seconds { return seconds }
    values.note(
      "the provider \(provider) is asked every \(floor.seconds) seconds at most, found \(seconds): \(floor.reason)",
      at: key,
      &problems)
    return nil
  }

  /// How many posts the account says under a key; nil when it does not, or what it says is wrong.
  static func posts(
    _ key: String, _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Int? {
    guard isWelcome(key, values, provider, defaults, &problems) else { return nil }
    return values.integer(key, in: ProgramDefaults.keepPostsRange, &problems).map { Int($0) }
  }

  private static func isWelcome(
    _ key: String, _ values: KeyedValues, _ provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Bool { values.has(key) && hasTimeline(for: key, values, provider, defaults, &problems) }

  /// Whether there is a timeline that a key which stands there can say something of; notes the key when there is none.
  static func hasTimeline(
    for key: String, _ values: KeyedValues, _ provider: String?, _ defaults: ProviderDefaults?,
    _ problems: inout Problems
  ) -> Bool {
    guard let provider, defaults?.hasTimeline == false else { return true }
    values.note("the provider \(provider) has no timeline: leave it out", atKey: key, &problems)
    return false
  }
}
