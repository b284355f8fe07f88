package import Settings

/// The service in one line for people, as a service manager shows it.
package enum ServiceSummary {
  /// - Parameters:
  ///   - configuration: which accounts the service looks after.
  ///   - standing: how they are.
  package static func line(
    _ configuration: Configuration, _ standing: [AccountName: AccountStanding]
  ) -> String {
    let enabled = configuration.enabledAccounts.map(\.name)
    if enabled.isEmpty { return "no account is enabled" }
    let troubled = enabled.compactMap { name in standing[name]?.trouble.map { (name: name, trouble: $0) } }
    let count = enabled.count == 1 ? "1 account" : "\(enabled.count) accounts"
    guard let first = troubled.first else { return "\(count), all well" }
    return "\(count), \(troubled.count) in trouble; \(first.name): \(first.trouble)"
  }
}
