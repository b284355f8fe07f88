internal import Commands
internal import Folders
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage

/// The login of an account added for it. If its user already has an account, that account is authorised and the new one removed.
struct NewAccountLogin {
  let account: AccountSettings
  let files: ConfigurationFiles
  let context: CommandContext

  struct Outcome {
    let code: ExitCode
    /// The account that the user already has; nil if the new account stays.
    let holder: AccountSettings?
  }

  func run(_ command: Command.Login) throws(CommandError) -> Outcome {
    var login = command
    // A service from before an upgrade does not know this option.
    login.isForNewAccount = OwnerSearch.owner(of: try context.layout())?.upgradeNote == nil
    let code = try context.owner.run(login, login.arguments(for: account.name))
    return Outcome(code: code, holder: try removeIfSuperfluous())
  }

  /// Removes the account if its user has another account.
  /// - Returns: the other account; nil if there is none.
  func removeIfSuperfluous() throws(CommandError) -> AccountSettings? {
    let storage = try context.storage()
    guard !storage.tokens(of: account.name).isPresent, let identity = storage.identity(of: account.name) else {
      return nil
    }
    let others = try files.load().accounts.filter { $0.name != account.name }
    guard let holder = others.first(where: { storage.identity(of: $0.name)?.isSameUser(as: identity) == true }) else {
      return nil
    }
    try remove()
    return holder
  }

  /// Removes the account from the configuration, and its files if they contain nothing.
  func remove() throws(CommandError) {
    let edit = ConfigurationFileEdit(files: files)
    let (old, new) = try edit.removing(account.name)
    try edit.write(old, new)
    Terminal.say("homeline: removed \(files.ownFile(of: account.name)) again")
    _ = try context.owner.reloadService(files)
    try context.removeUnusedFiles(of: account.name)
  }
}
