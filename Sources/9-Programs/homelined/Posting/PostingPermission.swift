internal import HomelineOAuth
internal import Commands
internal import Folders
internal import LocalCommands
internal import Platform
internal import Posting
internal import Settings
internal import Storage

/// The permission of an account's token to post.
struct PostingPermission {
  let account: AccountSettings
  let context: CommandContext

  /// The scopes of the provider's API; nil if no scopes decide whether the account can post.
  private var scopes: APIScopes? {
    account.credentials.scheme.version == .oauth2 ? APIScopes.of(account.provider) : nil
  }

  /// Whether the stored token does not allow a use. False if no token can be read; the state owner then reports this.
  private func isMissing(for uses: [APIScopes.Use]) -> Bool {
    guard let scopes, let token = try? context.storage().tokens(of: account.name).read() else { return false }
    return !scopes.missing(for: uses, from: token.grant.bearer?.scope).isEmpty
  }

  /// Offers the login that allows a use, if the token does not allow it and there is a terminal to ask on. The command then goes on
  /// regardless of how the login ended: the state owner keeps a post that it may not send yet.
  /// - Throws: 77 if the user declines; 130 after Ctrl-C during the login.
  func offer(for uses: [APIScopes.Use]) throws(CommandError) {
    guard Terminal.inputIsTerminal, Terminal.errorIsTerminal, isMissing(for: uses) else { return }
    let login = "homeline login \(account.name) --allow posting"
    Terminal.say("homeline: \(account.name): the token does not allow this yet; a new login can allow it")
    let isAgreed: Bool
    do throws(SystemError) { isAgreed = try Terminal.asksYes("Log in now?") } catch { throw CommandError(error) }
    guard isAgreed else {
      throw CommandError(.notAuthorised, "\(account.name): the token does not allow this. To allow it, run: \(login)")
    }
    try request()
    let command = Command.Login(loggingInTo: account.name)
    if try context.owner.run(command, command.arguments(for: account.name)) == .interrupted {
      throw CommandError(.interrupted, "\(account.name): nothing was sent")
    }
  }

  /// Makes the account's next login also request the scopes for posting: adds them to the configuration and makes a running service read
  /// it.
  func request() throws(CommandError) {
    guard ProviderDefaults.known[account.provider] == nil || account.drive == nil && account.hasTimeline() else {
      throw CommandError(.configuration, "homeline cannot post with the provider \(account.provider)")
    }
    guard let scopes else {
      return Terminal.say(
        "homeline: \(account.name): posting here depends not on scopes but on the application's permissions at the "
          + "provider. If you change them there, log in again")
    }
    let requested = account.scopes ?? scopes.reading(account.kindsOfTimelines)
    let wanted = scopes.withPosting(requested)
    if wanted == requested { return }
    let files = try context.configurationFiles()
    try ConfigurationFileEdit(files: files).set(account.name, scopes: wanted)
    Terminal.say(
      "homeline: \(account.name): the login requests \(wanted.joined(separator: ", ")) (\"scopes\" in \(files.file(of: account.name)))"
    )
    let code = try context.owner.reloadService(files)
    if code != .done {
      throw CommandError(code, "\(account.name): not logged in, because the service could not reload")
    }
  }
}
