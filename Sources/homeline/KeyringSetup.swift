internal import Commands
internal import ConfigurationStore
internal import Files
internal import Keyring
internal import Platform
internal import Settings
internal import Storage
internal import StorageSQLite

extension Command.Keyring: PreparedCommand {
  /// Creates the key and changes the configuration. The owner of the state then rewrites the tokens.
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let keyring = try context.keyring()
    let files = try context.configurationFiles()
    if action == .status {
      return .done(
        try context.write(
          KeyringReport(keyring: keyring, files: files, layout: try context.layout(), storage: try context.storage())
            .output()))
    }
    // The owner would refuse a configuration with errors, but only after the other steps.
    _ = try files.load()
    if action == .enable { try makeKey(in: keyring) } else { try checkKeys(of: try context.storage()) }
    if try ConfigurationEdit(files: files).set(protection) {
      Terminal.say("homeline: set \"protect\": \"\(protection.rawValue)\" in \(files.path)")
    }
    return .ask(self, arguments: context.arguments, cleanUp: { _ in })
  }

  private func makeKey(in keyring: TokenKeyring) throws(CommandError) {
    do throws(SecretStoreError) { _ = try keyring.makeCurrent() } catch { throw CommandError(.temporary, "\(error)") }
  }

  /// Checks that the encrypted tokens can be decrypted now. A token whose key is lost does not prevent the change.
  private func checkKeys(of storage: any StorageProvider) throws(CommandError) {
    do throws(StorageError) {
      for account in try storage.accounts() {
        do throws(StorageError) { _ = try storage.tokens(of: account).read() } catch {
          if error.kind == .keyUnavailable { throw error }
        }
      }
    } catch { throw CommandError(error.exitCode, error.description) }
  }
}

/// `homeline keyring status`: the keyring, the key, and the form of the stored tokens.
struct KeyringReport {
  let keyring: TokenKeyring
  let files: ConfigurationFiles
  let layout: FileLayout
  let storage: any StorageProvider

  func output() throws(CommandError) -> CommandOutput {
    let protection = try files.load().protection
    var rows = [("protect", protection.rawValue)]
    var code = ExitCode.done
    var isInUse = protection == .keyring
    do throws(StorageError) {
      for account in try storage.accounts() {
        let (form, isEncrypted) = try form(of: account)
        isInUse = isInUse || isEncrypted
        rows.append((account.text, form))
      }
    } catch { throw CommandError(error.exitCode, error.description) }
    do throws(SecretStoreError) {
      rows.insert(("keyring", "unlocked; \(try keyring.store.provider())"), at: 1)
      let key = try keyring.current()
      rows.insert(("key", key.map(\.id) ?? "none; to create one: homeline keyring enable"), at: 2)
      if key == nil, protection == .keyring { code = .configuration }
    } catch {
      rows.insert(("keyring", "\(error)"), at: 1)
      if isInUse { code = .temporary }
    }
    let width = rows.map(\.0.count).max() ?? 0
    return CommandOutput(
      rows.map { "\($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)\n" }.joined(), code: code)
  }

  private func form(of account: AccountName) throws(StorageError) -> (text: String, isEncrypted: Bool) {
    let tokens = storage.tokens(of: account)
    do throws(StorageError) {
      guard let keyID = try tokens.keyID() else { return (tokens.isPresent ? "in a plain file" : "no token", false) }
      return ("encrypted with the key \(keyID)", true)
    } catch { return ("unreadable: \(error)", false) }
  }
}
