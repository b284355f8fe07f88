internal import CivilTime
internal import Commands
internal import ConfigurationStore
internal import Discovery
internal import HomelineOAuth
internal import Platform
internal import Settings

extension Command.Login: PreparedCommand {
  /// Adds an account if the name belongs to a server and not to an account.
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    if importsAccounts {
      return .done(try LoginImport(command: self, server: try target.map(server), context: context).run())
    }
    guard let text = target, let name = try serverName(text, context) else {
      if addsAccount {
        throw CommandError(.usage, "--yes and --name are only for a server, for which an account is added")
      }
      if allows == .posting { try PostingPermission(account: try context.account(account), context: context).request() }
      return ServiceOffer.following(self, in: context)
    }
    return .done(try ServerLogin(command: self, text: text, name: name, context: context).run())
  }

  /// Returns the server that a text names; nil if the text names an account.
  private func serverName(_ text: String, _ context: CommandContext) throws(CommandError) -> ServerName? {
    let files = try context.configurationFiles()
    if let account, files.exist {
      // If the configuration now has errors, the service may still know one of its accounts.
      guard case .success(let configuration)? = try? files.result(), configuration[account] == nil else { return nil }
    }
    do throws(ServerNameError) { return try ServerName(text) } catch {
      if account != nil { return nil }
      throw CommandError(.usage, "\(DisplayText.quoted(text)) is neither an account nor a server: \(error)")
    }
  }

  private func server(_ text: String) throws(CommandError) -> ServerName {
    do throws(ServerNameError) { return try ServerName(text) } catch {
      throw CommandError(.usage, "\(DisplayText.quoted(text)) is not a server: \(error)")
    }
  }
}

/// `homeline login SERVER`: identifies the server, adds an account for it, logs in, and shows the first posts.
struct ServerLogin {
  let command: Command.Login
  /// The server as the user typed it.
  let text: String
  let name: ServerName
  let context: CommandContext

  /// The number of posts that are shown after the login.
  private static let shownPosts = 5

  /// Whether the user can be asked.
  private var asks: Bool { !command.acceptsProposals && Terminal.inputIsTerminal && Terminal.errorIsTerminal }

  func run() throws(CommandError) -> ExitCode {
    say(opening)
    let files = try context.configurationFiles()
    let configuration = files.exist ? try files.load() : Configuration(accounts: [])
    let account = try newAccount(configuration)
    let name = try accountName(for: account, configuration)
    say("wrote \(try ConfigurationEdit(files: files).add(name, account.json))")
    var code = try context.owner.reloadService(files)
    if command.allows == .posting {
      try PostingPermission(account: try context.account(name), context: context).request()
    }
    let service = ServiceOffer(context: context, asks: asks, accepts: command.acceptsProposals)
    var login = command.named(name)
    // The service fetches the pictures after the first posts have been shown.
    if service.isAvailable { login.waitsForPictures = false }
    if code == .done { code = try context.owner.run(login, login.arguments(for: name)) }
    guard code == .done else {
      say(
        "the account \(name) stays in the configuration. To log in: homeline login \(name); to remove it: homeline account remove \(name)"
      )
      return code
    }
    if account.hasTimeline, !context.invocation.isJSON { try showPosts(of: name) }
    try service.make()
    return .done
  }

  /// The line that announces the login: its first step, whether the user is asked questions, and whether there is a
  /// browser.
  private var opening: String {
    let first =
      switch name {
      case .provider(let provider): "adding an account at \(provider)"
      case .server(let origin, _): "finding out which API \(origin.authority) has, to add an account there"
      }
    let questions =
      asks ? "" : command.acceptsProposals ? "; no questions are asked" : "; without a terminal, no questions are asked"
    let browser =
      command.opensBrowser && Browser(variables: context.environment.variables) == nil
      ? "; there is no browser here, so you get an address to open elsewhere" : ""
    return first + questions + browser
  }

  // MARK: The account

  private func newAccount(_ configuration: Configuration) throws(CommandError) -> NewAccount {
    let registration = Registration(asks: asks, callback: configuration.callback, text: text)
    guard case .server(let origin, _) = name else {
      guard case .provider(let provider) = name else { preconditionFailure("there are two kinds of names") }
      return try registration.provider(provider)
    }
    let found: DiscoveredServer
    let output = try context.owner.output(of: Command.Discover(text), [Command.Discover.name, text])
    do throws(DiscoveryError) { found = try DiscoveredServer(json: output) } catch {
      throw CommandError(.unavailable, "\(error)")
    }
    for finding in found.findings { say(finding) }
    switch found.api {
    case .mastodon: return NewAccount(mastodon: found.origin, software: found.software)
    case .gnusocial: return try registration.gnuSocial(found.origin)
    case .oauth2: return try registration.oauth2(found.origin, issuer: found.issuer ?? found.origin.origin)
    case .unknown:
      let software = found.software.map { _ in " (\(found.description))" } ?? ""
      throw CommandError(
        .unavailable,
        "\(origin.authority) answers\(software), but has none of these: Mastodon's API (/api/v1/instance), GNU social's "
          + "(/api/statusnet/config.json), OAuth 2.0 metadata. Check the name of the server; if its API is at another address, "
          + "write the account yourself: man homeline-config")
    }
  }

  private func accountName(
    for account: NewAccount, _ configuration: Configuration
  ) throws(CommandError) -> AccountName {
    let used = Set(configuration.accounts.map(\.name))
    let twins = configuration.accounts.filter { account.server != nil && $0.server?.origin == account.server?.origin }
    if let twin = twins.first { say("the account \(twin.name) uses the same server; another one is added") }
    if let name = command.accountName {
      if used.contains(name) { throw CommandError(.usage, "there is already an account \(name)") }
      return name
    }
    let proposal = account.proposedName(except: used)
    guard asks else {
      say("the account is named \(proposal)")
      return proposal
    }
    while true {
      guard let line = try ask("Account name [\(proposal)]: ") else {
        throw CommandError(.usage, "the input ended; no account was added")
      }
      if line.isEmpty { return proposal }
      guard let name = AccountName(line) else {
        say("an account name must be \(AccountName.rule)")
        continue
      }
      guard !used.contains(name) else {
        say("there is already an account \(name)")
        continue
      }
      return name
    }
  }

  private func showPosts(of name: AccountName) throws(CommandError) {
    let show: Invocation
    do throws(UsageError) {
      show = try CommandParser(context.registry).parse(
        ["show", name.text, "--limit", "\(Self.shownPosts)", "--no-pager"], now: WallClock.system.now)
    } catch { throw CommandError(error) }
    guard let local = show.command as? any LocalCommand else { preconditionFailure("show is a local command") }
    _ = try local.run(in: context)
    say("to see more: homeline show \(name)")
  }

  private func ask(_ prompt: String) throws(CommandError) -> String? {
    do throws(SystemError) { return try Terminal.ask(prompt) } catch { throw CommandError(error) }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }
}
