internal import Commands
internal import Folders
internal import Glibc
internal import Keyring
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage
internal import StorageFiles
internal import StorageSQLite

extension CommandContext {
  /// Returns the stored data of all accounts, for reading.
  func storage() throws(CommandError) -> any StorageProvider {
    // No tokens are written here, so the form of new tokens does not matter.
    FileStorage(try layout(), vault: TokenVault(try keyring(), protection: .files))
  }

  /// Returns the keys of encrypted tokens.
  func keyring() throws(CommandError) -> TokenKeyring {
    TokenKeyring(session: environment.variables, stateFolder: try layout().stateFolder, startsProvider: true)
  }

  func archives() throws(CommandError) -> Archives { Archives(storage: try storage()) }

  /// Removes the files of an account that is no longer in the configuration, if it was never used. If another process owns the state, it
  /// does this.
  func removeUnusedFiles(of account: AccountName) throws(CommandError) {
    let owner = Owner(processID: getpid(), controlSocket: nil, command: "account")
    do {
      guard case .held(let lock) = try OwnerLock.take(try layout(), as: owner) else { return }
      try storage().removeUnused(account)
      _ = consume lock
    } catch { Terminal.say("homeline: the files of \(account) could not be removed: \(error)") }
  }
}
