package import CivilTime
package import Commands
package import Control
package import Files
package import Platform
package import Settings
package import Storage

/// The facts that all checks share, read once.
package struct DiagnosticContext: Sendable {
  /// An account in the configuration, or one that only has files.
  package struct Account: Sendable, Hashable {
    package let name: AccountName
    /// Nil if the account is not in the configuration, or the configuration is invalid.
    package let settings: AccountSettings?
  }

  let environment: CommandEnvironment
  package let folders: BaseDirectories
  package let layout: FileLayout
  package let storage: any StorageProvider
  package let configurationPath: String
  /// Nil if the configuration is missing or invalid.
  package let configuration: Configuration?
  /// Why there is no configuration; empty if there is one.
  package let configurationProblems: [String]
  /// The accounts in the configuration's order, then those that only have files.
  package let accounts: [Account]
  /// Why the accounts that only have files are unknown; nil if they are known.
  package let storageProblem: String?
  /// The owner of the state; nil if there is none.
  package let owner: Owner?
  /// The status that the owner reports; nil if there is no owner or it does not reply.
  package let ownerStatus: ControlStatus?
  /// Why the owner does not reply; nil if it does, or if there is no owner.
  package let ownerSilence: String?
  package let now: Timestamp

  /// The time limit for the owner's status.
  private static let ownerTimeout = Duration.seconds(2)

  /// The enabled accounts in the configuration.
  package var enabledAccounts: [AccountSettings] { configuration?.enabledAccounts ?? [] }
  package var variables: [String: String] { environment.variables }

  /// Reads the configuration, the lock and the owner's status. If no owner is running, none is started.
  package init(
    _ file: ConfigurationFile, environment: CommandEnvironment, folders: BaseDirectories, storage: any StorageProvider,
    now: Timestamp
  ) {
    self.environment = environment
    self.folders = folders
    self.storage = storage
    self.now = now
    layout = FileLayout(folders)
    configurationPath = file.path
    do throws(CommandError) {
      switch try file.result() {
      case .success(let found): (configuration, configurationProblems) = (found, [])
      case .failure(let error): (configuration, configurationProblems) = (nil, file.lines(of: error))
      }
    } catch { (configuration, configurationProblems) = (nil, [error.message]) }
    var accounts = (configuration?.accounts ?? []).map { Account(name: $0.name, settings: $0) }
    do throws(StorageError) {
      let known = Set(accounts.map(\.name))
      accounts += try storage.accounts().filter { !known.contains($0) }.map { Account(name: $0, settings: nil) }
      storageProblem = nil
    } catch { storageProblem = "\(error)" }
    self.accounts = accounts
    let owner = OwnerLock.currentOwner(layout)
    self.owner = owner
    guard let path = owner?.controlSocket else {
      (ownerStatus, ownerSilence) = (nil, nil)
      return
    }
    do throws(ControlClientError) {
      (ownerStatus, ownerSilence) = (try ControlClient(path: path).status(timeout: Self.ownerTimeout), nil)
    } catch { (ownerStatus, ownerSilence) = (nil, "\(error)") }
  }
}
