internal import Commands
internal import Folders
internal import Keyring
internal import LocalCommands
internal import Platform
internal import Storage
internal import Settings

extension Command.Keyring: PreparedCommand {
  /// Creates the key and changes the configuration. The state owner then rewrites the tokens.
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let keyring = try context.keyring()
    let files = try context.configurationFiles()
    if action == .status {
      return .done(
        try context.write(
          KeyringReport(keyring: keyring, files: files, layout: try context.layout(), storage: try context.storage())
            .output(isJSON: context.invocation.isJSON)))
    }
    // The owner would refuse a configuration with errors, but only after the other steps.
    _ = try files.load()
    if action == .enable { try makeKey(in: keyring) } else { try checkKeys(of: try context.storage()) }
    if try ConfigurationFileEdit(files: files).set(protection) {
      Terminal.say("homeline: set \"protect\": \"\(protection.rawValue)\" in \(files.path)")
    }
    return .ask(self, arguments: context.arguments, cleanUp: { _ in })
  }

  private func makeKey(in keyring: TokenKeyring) throws(CommandError) {
    do throws(SecretStoreError) { _ = try keyring.makeCurrent() } catch { throw CommandError(error) }
  }

  /// Checks that the encrypted tokens can be decrypted now. A token whose key is lost does not prevent the change.
  private func checkKeys(of storage: any StorageProvider) throws(CommandError) {
    do throws(StorageError) {
      for account in try storage.accounts() {
        do throws(StorageError) { _ = try storage.tokens(of: account).read() } catch {
          if error.kind == .keyUnavailable { throw error }
        }
      }
    } catch { throw CommandError(error) }
  }
}
