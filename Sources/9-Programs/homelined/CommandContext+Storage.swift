internal import Commands
internal import Cryptography
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

  /// Returns the SHA-256 of bytes.
  static func hash(_ bytes: [UInt8]) throws(CommandError) -> [UInt8] {
    do throws(CryptographyError) { return try SHA256.digest(of: bytes) } catch {
      throw CommandError(.software, "\(error)")
    }
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
