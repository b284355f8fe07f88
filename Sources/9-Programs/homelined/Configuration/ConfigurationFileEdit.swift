internal import Commands
internal import Folders
internal import Platform
internal import Settings

/// Changes the configuration as requested by a user's command.
struct ConfigurationFileEdit {
  let files: ConfigurationFiles

  /// Sets `protect`. Everything else in the file stays as it is.
  /// - Returns: whether the file was changed.
  func set(_ protection: TokenProtection) throws(CommandError) -> Bool {
    let isSet = try files.load().protection == protection
    let old = try files.readTexts()
    do throws(SystemError) {
      try files.removeLeftovers()
      if isSet { return false }
      if let text = Configuration.text(old, setting: protection) {
        var new = old
        new.main = ConfigurationText(path: files.path, text)
        try files.replace(old, with: new)
        return true
      }
    } catch { throw failure("\(error)", protection) }
    throw failure("\(files.path): it does not have the expected structure", protection)
  }

  /// Sets an account's `enabled`.
  /// - Returns: whether a file was changed.
  func set(_ account: AccountName, isEnabled: Bool) throws(CommandError) -> Bool {
    let old = try files.readTexts()
    if try checked(old)[account]?.isEnabled == isEnabled { return false }
    guard let new = Configuration.texts(old, enabling: isEnabled, account) else {
      throw CommandError(
        .configuration,
        "\(files.file(of: account)) does not have the expected structure. Edit the file by hand to set \"enabled\""
      )
    }
    try write(old, new)
    return true
  }

  /// Sets the scopes that an account requests.
  func set(_ account: AccountName, scopes: [String]) throws(CommandError) {
    let old = try files.readTexts()
    guard let new = Configuration.texts(old, setting: scopes, of: account) else {
      let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
      throw CommandError(
        .configuration,
        "\(files.file(of: account)) does not have the expected structure. Edit the file by hand to set \"scopes\": [\(list)]"
      )
    }
    try write(old, new)
  }

  /// Adds an account, in its own file in `config.d`.
  /// - Returns: the file's path.
  /// - Throws: 78 if the configuration would be invalid.
  func add(_ account: AccountName, _ text: [UInt8]) throws(CommandError) -> String {
    _ = try settings(of: account, text)
    do throws(SystemError) { try files.add(account, text) } catch { throw CommandError(.cannotCreate, "\(error)") }
    return files.ownFile(of: account)
  }

  /// Returns the settings that an account would have if it were added.
  /// - Throws: 78 if the configuration would be invalid.
  func settings(of account: AccountName, _ text: [UInt8]) throws(CommandError) -> AccountSettings {
    var new = files.exist ? try files.readTexts() : ConfigurationTexts(main: nil)
    new.accounts =
      (new.accounts ?? []) + [
        ConfigurationTexts.Account(name: account.text, ConfigurationText(path: files.ownFile(of: account), text))
      ]
    do throws(SettingsError) {
      guard let settings = try Configuration(reading: new)[account] else {
        preconditionFailure("a valid configuration contains the account")
      }
      return settings
    } catch {
      throw CommandError(.configuration, "no account was added, because the configuration would be invalid\n\(error)")
    }
  }

  /// Returns the configuration files without an account, ready to be written.
  /// - Throws: 78 if the configuration would be invalid.
  func removing(
    _ account: AccountName
  ) throws(CommandError) -> (old: ConfigurationTexts, new: ConfigurationTexts) {
    let old = try files.readTexts()
    guard let new = Configuration.texts(old, removing: account) else {
      throw CommandError(
        .configuration,
        "\(files.path) does not have the expected structure. Edit the file by hand to remove the account")
    }
    do throws(SettingsError) { _ = try Configuration(reading: new) } catch {
      let views = (try? Configuration(reading: old).views) ?? []
      if let view = views.first(where: { $0.timelines.allSatisfy { $0.account == account } }) {
        throw CommandError(
          .configuration,
          "nothing was changed, because the view \(view.name) in \(files.path) lists only \(account). Remove the view, or its "
            + "\"accounts\" so that it shows all accounts, and run the command again")
      }
      throw CommandError(
        .configuration, "nothing was changed, because the configuration would be invalid without \(account)\n\(error)")
    }
    return (old, new)
  }

  func write(_ old: ConfigurationTexts, _ new: ConfigurationTexts) throws(CommandError) {
    do throws(SystemError) { try files.replace(old, with: new) } catch {
      throw CommandError(.cannotCreate, "could not change the configuration: \(error)")
    }
  }

  private func checked(_ texts: ConfigurationTexts) throws(CommandError) -> Configuration {
    do throws(SettingsError) { return try Configuration(reading: texts) } catch {
      throw CommandError(.configuration, "the configuration has errors\n\(error)")
    }
  }

  private func failure(_ reason: String, _ protection: TokenProtection) -> CommandError {
    CommandError(
      .configuration,
      "could not change the configuration: \(reason). Set \"protect\": \"\(protection.rawValue)\" at its top yourself, and "
        + "run the command again")
  }
}
