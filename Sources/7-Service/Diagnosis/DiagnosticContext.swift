package import Commands
package import ControlProtocol
package import Folders
package import Platform
package import Settings
package import Storage
package import Time

/// Facts that all checks share, read only once.
package struct DiagnosticContext: Sendable {
  /// An account in the configuration, or one that only has files.
  package struct Account: Sendable, Hashable {
    package let name: AccountName
    /// The account's settings; nil if the account is not in the configuration, or if the configuration is invalid.
    package let settings: AccountSettings?
  }

  let environment: CommandEnvironment
  package let folders: BaseDirectories
  package let layout: FileLayout
  package let storage: any StorageProvider
  package let files: ConfigurationFiles
  /// The configuration; nil if it is missing or invalid.
  package let configuration: Configuration?
  /// The reasons there is no configuration; empty if there is one.
  package let configurationProblems: [String]
  /// The accounts in the order of the configuration, followed by accounts that only have files.
  package let accounts: [Account]
  /// The reason accounts that only have files could not be listed; nil if they could.
  package let storageProblem: String?
  /// The state owner; nil if there is none.
  package let owner: Owner?
  /// The status reported by the state owner; nil if there is no such process or it does not respond.
  package let ownerStatus: ControlStatus?
  /// The reason the state owner does not respond; nil if it does, or if there is no owner.
  package let ownerSilence: String?
  package let now: Timestamp

  /// The time limit for the state owner to report its status.
  private static let ownerTimeout = Duration.seconds(2)

  /// The enabled accounts in the configuration.
  package var enabledAccounts: [AccountSettings] { configuration?.enabledAccounts ?? [] }
  package var variables: [String: String] { environment.variables }

  /// The configuration path, to show to the user.
  package var configurationPath: String { files.shownPath }

  /// Reads the configuration, the lock and the owner's status. If no owner is running, none is started.
  /// - Parameter status: the owner's status, if this process is the owner.
  package init(
    _ files: ConfigurationFiles, environment: CommandEnvironment, folders: BaseDirectories,
    storage: any StorageProvider,
    knowing status: ControlStatus? = nil, now: Timestamp
  ) {
    self.environment = environment
    self.folders = folders
    self.storage = storage
    self.now = now
    layout = FileLayout(folders)
    self.files = files
    do throws(CommandError) {
      switch try files.result() {
      case .success(let found): (configuration, configurationProblems) = (found, [])
      case .failure(let error): (configuration, configurationProblems) = (nil, error.problems.map(\.description))
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
    if let status {
      (ownerStatus, ownerSilence) = (status, nil)
      return
    }
    guard let path = owner?.controlSocket else {
      (ownerStatus, ownerSilence) = (nil, nil)
      return
    }
    do throws(ControlClientError) {
      (ownerStatus, ownerSilence) = (try ControlClient(path: path).status(timeout: Self.ownerTimeout), nil)
    } catch {
      if case .timedOut = error, let owner {
        (ownerStatus, ownerSilence) = (nil, owner.silence)
      } else {
        (ownerStatus, ownerSilence) = (nil, "\(error)")
      }
    }
  }
}
