/// What is made of an account's posts; a provider without a timeline takes none of it.
extension AccountSettings {
  static let publishingKeys = SharedSettings.keys + ["keep_days", "keep_archive"]

  /// What an account says of it.
  struct Publishing {
    var shared = SharedSettings()
    var keepDays: Int?
    var keepsArchive: Bool?
  }

  static func publishing(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ shared: SharedSettings,
    _ problems: inout Problems
  ) -> Publishing {
    // Each is looked at, so that each is noted.
    let refused = publishingKeys.filter {
      values.has($0) && !hasTimeline(for: $0, values, provider, defaults, &problems)
    }
    guard refused.isEmpty, defaults?.hasTimeline != false else { return Publishing() }
    return Publishing(
      shared: SharedSettings(values, &problems).over(shared),
      keepDays: values.integer("keep_days", in: ProgramDefaults.keepDaysRange, &problems).map { Int($0) },
      keepsArchive: values.boolean("keep_archive", &problems))
  }

  mutating func apply(_ publishing: Publishing) {
    publish = publishing.shared.publish ?? publish
    onNewPosts = publishing.shared.program
    notifies = publishing.shared.notifies ?? notifies
    keepDays = publishing.keepDays
    keepsArchive = publishing.keepsArchive ?? keepsArchive
  }
}
