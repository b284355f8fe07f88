package import Settings

/// The service's state as one line of text for the service manager.
package enum ServiceSummary {
  /// Returns the service's state as one line.
  /// - Parameters:
  ///   - configuration: the configuration with the service's accounts.
  ///   - snapshots: the states of the accounts.
  package static func line(
    _ configuration: Configuration, _ snapshots: [AccountName: AccountSnapshot]
  ) -> String {
    let enabled = configuration.enabledAccounts.map(\.name)
    if enabled.isEmpty { return "no account is enabled" }
    let troubled = enabled.compactMap { name in snapshots[name]?.trouble.map { (name: name, trouble: $0) } }
    let count = enabled.count == 1 ? "1 account" : "\(enabled.count) accounts"
    guard let first = troubled.first else { return "\(count), all well" }
    return "\(count), \(troubled.count) with problems; \(first.name): \(first.trouble)"
  }
}
