package import Folders
internal import Platform
package import Settings
package import Storage
package import Time

/// The accounts of a status report: those in the configuration, in its order, followed by accounts that only have files.
package struct ReportedAccounts: Sendable {
  package let names: [String]
  private let settings: [String: AccountSettings]
  /// Whether an account without settings is known to be missing from the configuration.
  private let isComplete: Bool
  private let layout: FileLayout
  private let storage: any StorageProvider

  /// The number of threads that read accounts.
  private static let width = 4

  /// - Parameters:
  ///   - configuration: `nil` if there is none, or if it is invalid.
  ///   - isComplete: whether no account can be configured that `configuration` lacks. An invalid file may contain any account.
  package init(
    _ configuration: Configuration?, isComplete: Bool, layout: FileLayout, storage: any StorageProvider
  ) throws(StorageError) {
    let found = try storage.accounts().map(\.text)
    let configured = configuration?.accounts ?? []
    settings = Dictionary(configured.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    names = configured.map(\.name.text) + found.filter { [settings] in settings[$0] == nil }
    self.isComplete = isComplete
    self.layout = layout
    self.storage = storage
  }

  /// Reads the accounts' files with a few threads, because there can be a thousand accounts.
  /// - Parameter only: the only account to read; `nil` for all.
  package func read(at now: Timestamp, only: String? = nil) -> [AccountStatus] {
    let names = names.filter { only == nil || $0 == only }
    return QueuePool(label: "homeline.status", count: Self.width).map(names) { name in
      AccountStatus(
        name: name, settings: settings[name], isOrphan: settings[name] == nil && isComplete, layout: layout,
        storage: storage, at: now)
    }
  }
}
