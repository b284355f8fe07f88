internal import Timeline

/// Settings for refreshing and storing an account's timelines. They are refused for a provider without a timeline.
extension AccountSettings {
  /// Returns the seconds between two refreshes; nil if the value is missing or invalid.
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
      "the provider \(provider) allows a refresh at most every \(floor.seconds) seconds, found \(seconds): \(floor.reason)",
      at: key,
      &problems)
    return nil
  }

  /// Returns the number of posts given by a key; nil if the value is missing or invalid.
  static func posts(
    _ key: String, _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Int? {
    guard isWelcome(key, values, provider, defaults, &problems) else { return nil }
    return values.integer(key, in: ProgramDefaults.keepPostsRange, &problems).map { Int($0) }
  }

  private static func isWelcome(
    _ key: String, _ values: KeyedValues, _ provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Bool { values.has(key) && hasTimeline(for: key, values, provider, defaults, &problems) }

  /// Returns whether the provider has a timeline. Reports the key if not.
  static func hasTimeline(
    for key: String, _ values: KeyedValues, _ provider: String?, _ defaults: ProviderDefaults?,
    _ problems: inout Problems
  ) -> Bool {
    guard let provider, defaults?.hasTimeline == false else { return true }
    let reason = defaults?.timelineObjection ?? "the provider \(provider) has no timeline: remove this setting"
    values.note(reason, atKey: key, &problems)
    return false
  }
}

/// Spending limits for an account whose provider charges for reading.
extension AccountSettings {
  static let budgetKeys = ["posts_per_day", "usd_per_day", "usd_per_month"]

  /// Returns the account's budget. Its own values take precedence over its provider's. If the provider does not charge, there are no
  /// limits.
  ///
  /// Only `null` removes a limit, not a number, so that a typing error cannot cause unlimited spending.
  static func budget(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Budget {
    var budget = defaults?.budget ?? Budget()
    guard let member = values["budget"], let provider, let defaults else { return budget }
    guard defaults.prices != nil else {
      values.note("the provider \(provider) does not charge: remove this setting", atKey: "budget", &problems)
      return budget
    }
    guard
      let limits = KeyedValues(
        member.value, path: values.path(of: "budget"), offset: member.offset, keys: budgetKeys, &problems)
    else { return budget }
    if limits.has("posts_per_day") {
      budget.postsPerDay =
        limits.isNull("posts_per_day")
        ? nil : limits.integer("posts_per_day", in: ProgramDefaults.postsPerDayRange, &problems).map { Int($0) }
    }
    if limits.has("usd_per_day") { budget.microUSDPerDay = amount("usd_per_day", limits, &problems) }
    if limits.has("usd_per_month") { budget.microUSDPerMonth = amount("usd_per_month", limits, &problems) }
    return budget
  }

  /// Returns the cost beyond which a post must be confirmed; nil if no confirmation is needed.
  static func confirmation(
    ofCosts values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Int64? {
    let key = "confirm_above_usd"
    let usual = defaults?.prices == nil ? nil : ProgramDefaults.confirmAboveMicroUSD
    guard values.has(key), let provider, let defaults else { return usual }
    guard defaults.prices != nil else {
      values.note("the provider \(provider) does not charge: remove this setting", atKey: key, &problems)
      return nil
    }
    return amount(key, values, from: 0, &problems)
  }

  /// Returns an amount in millionths of a US dollar.
  /// - Parameter lowest: 0 or 1 millionth of a US dollar.
  private static func amount(
    _ key: String, _ values: KeyedValues, from lowest: Int64 = 1, _ problems: inout Problems
  ) -> Int64? {
    if values.isNull(key) { return nil }
    let expected =
      "an amount in US dollars \(lowest == 0 ? "from" : "above") 0 and up to \(ProgramDefaults.highestBudget / MicroUSD.one), with at most 6 decimals, "
      + "or null"
    guard let text = values.number(key, orExpecting: expected, &problems) else { return nil }
    if let amount = MicroUSD.amount(text), (lowest...ProgramDefaults.highestBudget).contains(amount) { return amount }
    values.note("expected \(expected), found \(DisplayText.plain(text))", at: key, &problems)
    return nil
  }
}

/// Settings for the files published from an account's posts. They are refused for a provider without a timeline.
extension AccountSettings {
  static let publishingKeys =
    SharedSettings.keys + [
      "keep_days", "keep_archive", "erase_deleted_days", "require_alt_text", "apply_server_filters",
      "sync_marks",
    ]

  /// The account's own values.
  struct Publishing {
    var shared = SharedSettings()
    var keepDays: Int?
    var keepsArchive: Bool?
    var eraseDeletedDays: Int?
    var requiresAltText: Bool?
    var appliesServerFilters: Bool?
    var syncsMarks: Bool?
  }

  static func publishing(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ shared: SharedSettings,
    _ problems: inout Problems
  ) -> Publishing {
    // All keys are checked, so that each problem is reported.
    let refused = publishingKeys.filter {
      values.has($0) && !hasTimeline(for: $0, values, provider, defaults, &problems)
    }
    guard refused.isEmpty, defaults?.hasTimeline != false else { return Publishing() }
    return Publishing(
      shared: SharedSettings(values, &problems).over(shared),
      keepDays: keepDays(values, &problems),
      keepsArchive: values.boolean("keep_archive", &problems),
      eraseDeletedDays: values.integer("erase_deleted_days", in: ProgramDefaults.eraseDeletedDaysRange, &problems)
        .map { Int($0) },
      requiresAltText: values.boolean("require_alt_text", &problems),
      appliesServerFilters: serverFilters(values, provider: provider, &problems),
      syncsMarks: mastodonSwitch("sync_marks", for: "shared read marks", values, provider: provider, &problems))
  }

  /// Returns the number of days to keep posts; nil if the value is missing or invalid.
  static func keepDays(_ values: KeyedValues, _ problems: inout Problems) -> Int? {
    values.integer("keep_days", in: ProgramDefaults.keepDaysRange, &problems).map { Int($0) }
  }

  /// Returns whether the user's filters on the server apply; nil if the value is missing or invalid.
  static func serverFilters(
    _ values: KeyedValues, provider: String?, _ problems: inout Problems
  ) -> Bool? { mastodonSwitch("apply_server_filters", for: "filters", values, provider: provider, &problems) }

  /// Returns whether something that only Mastodon's API has is turned on; nil if the value is missing or invalid.
  /// - Parameter what: what messages call it.
  private static func mastodonSwitch(
    _ key: String, for what: String, _ values: KeyedValues, provider: String?, _ problems: inout Problems
  ) -> Bool? {
    guard values.has(key), let provider else { return nil }
    guard provider == "mastodon" else {
      values.note(
        "only servers with Mastodon's API have \(what), and the provider is \(provider): remove this setting",
        atKey: key, &problems)
      return nil
    }
    return values.boolean(key, &problems)
  }

  mutating func apply(_ publishing: Publishing) {
    publish = publishing.shared.publish ?? publish
    feedPosts = publishing.shared.feedPosts ?? feedPosts
    onNewPosts = publishing.shared.program
    notifies = publishing.shared.notifies ?? notifies
    keepDays = publishing.keepDays
    keepsArchive = publishing.keepsArchive ?? keepsArchive
    eraseDeletedDays = publishing.eraseDeletedDays ?? eraseDeletedDays
    requiresAltText = publishing.requiresAltText ?? requiresAltText
    appliesServerFilters = publishing.appliesServerFilters ?? appliesServerFilters
    syncsMarks = publishing.syncsMarks ?? syncsMarks
  }
}
