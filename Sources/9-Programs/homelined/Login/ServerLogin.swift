internal import Bytes
internal import Commands
internal import Discovery
internal import Folders
internal import HomelineOAuth
internal import LocalCommands
internal import Platform
internal import Settings
internal import Time
internal import Timeline

extension Command.Login: PreparedCommand {
  /// Adds an account if the name belongs to a server and not to an account.
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    if importsAccounts { return .done(try importAccounts(in: context)) }
    guard let text = target else {
      let choice = LoginChoice(command: self, context: context)
      let chosen = try choice.target { text in
        do throws(CommandError) {
          _ = try meaning(of: text, context)
          return nil
        } catch { return "\(error)" }
      }
      guard let chosen else { return try authorise(nil, context) }
      return .done(try logIn(to: chosen, context))
    }
    switch try meaning(of: text, context) {
    case .account: return try authorise(text, context)
    case .server, .importing: return .done(try logIn(to: text, context))
    }
  }

  /// What a name on the command line means.
  private enum Meaning {
    case account(AccountName)
    case server(ServerName)
    case importing
  }

  private func logIn(to text: String, _ context: CommandContext) throws(CommandError) -> ExitCode {
    switch try meaning(of: text, context) {
    case .account(let name):
      let login = named(name)
      if allows == .posting { try PostingPermission(account: try context.account(name), context: context).request() }
      return try context.owner.run(login, login.arguments(for: name))
    case .server(let name): return try ServerLogin(command: self, text: text, name: name, context: context).run()
    case .importing:
      var login = self
      login.target = nil
      return try login.importAccounts(in: context)
    }
  }

  private func importAccounts(in context: CommandContext) throws(CommandError) -> ExitCode {
    try LoginImport(command: self, server: try target.map(server), context: context).run()
  }

  /// Lets the state owner log in to an account.
  private func authorise(_ text: String?, _ context: CommandContext) throws(CommandError) -> Preparation {
    if addsAccount {
      throw CommandError(.usage, "--yes and --name can only be used to add an account on a server")
    }
    if allows == .posting {
      let account = try context.account(text.flatMap { AccountName($0) })
      try PostingPermission(account: account, context: context).request()
    }
    return ServiceOffer.following(self, in: context)
  }

  /// Returns what a name means: an account if there is one with this name, otherwise a server.
  private func meaning(of text: String, _ context: CommandContext) throws(CommandError) -> Meaning {
    let files = try context.configurationFiles()
    let account = AccountName(text)
    var known: [AccountName] = []
    if files.exist {
      switch try? files.result() {
      case .success(let configuration)?:
        if let account, configuration[account] != nil { return .account(account) }
        known = configuration.accounts.map(\.name)
      // If the configuration now has errors, the service may still know the account.
      case .failure?, nil: if let account { return .account(account) }
      }
    }
    if text == Self.importWord { return .importing }
    do throws(ServerNameError) { return .server(try ServerName(text)) } catch {
      if error.isComplete { throw CommandError(.usage, "\(error)") }
      throw CommandError(
        .usage,
        account == nil
          ? "\(DisplayText.quoted(text)) is neither an account nor a server: \(error)"
          : "\(AccountChoiceError.unknown(text, known)); \(error)")
    }
  }

  private func server(_ text: String) throws(CommandError) -> ServerName {
    do throws(ServerNameError) { return try ServerName(text) } catch {
      throw CommandError(
        .usage, error.isComplete ? "\(error)" : "\(DisplayText.quoted(text)) is not a server: \(error)")
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

  /// The number of posts shown after the login.
  private static let shownPosts = 5

  /// Whether the user can be asked.
  private var asks: Bool { !command.acceptsProposals && Terminal.inputIsTerminal && Terminal.errorIsTerminal }

  func run() throws(CommandError) -> ExitCode {
    say(opening)
    let files = try context.configurationFiles()
    var configuration = files.exist ? try files.load() : Configuration(accounts: [])
    let used = Set(configuration.accounts.map(\.name))
    if let name = command.accountName, used.contains(name) {
      throw CommandError(.usage, "there is already an account \(name)")
    }
    let server = try foundServer()
    let known = KnownAccount.all(at: server.place, in: configuration.accounts, try context.storage())
    let choice = KnownAccountChoice(
      known: command.accountName == nil ? known : [], user: self.name.user, used: used, asks: asks)
    let chosenName: AccountName?
    switch try choice.choice() {
    case .again(let account): return try logIn(to: account.settings, isNew: false, files)
    case .new(let name): chosenName = name
    }
    var account = try newAccount(on: server, configuration)
    let name = if let chosenName { chosenName } else { try accountName(for: account, used) }
    let edit = ConfigurationFileEdit(files: files)
    if asks, account.hasTimeline, try edit.settings(of: name, account.json).publish.isEmpty {
      account.publish = try PublishChoice.ask()
    }
    say("wrote \(try edit.add(name, account.json))")
    let code = try context.owner.reloadService(files)
    configuration = try files.load()
    guard code == .done, let settings = configuration[name] else { return stays(name, code) }
    return try logIn(to: settings, isNew: true, files)
  }

  /// Logs in to an account, shows its posts, and offers the service.
  private func logIn(
    to account: AccountSettings, isNew: Bool, _ files: ConfigurationFiles
  ) throws(CommandError) -> ExitCode {
    if command.allows == .posting {
      try PostingPermission(account: try context.account(account.name), context: context).request()
    }
    let service = ServiceOffer(context: context, asks: asks, accepts: command.acceptsProposals)
    var login = command.named(account.name)
    // The service fetches the pictures after the first posts have been shown.
    if service.isAvailable { login.waitsForPictures = false }
    var authorised = account
    let code: ExitCode
    if isNew {
      let newLogin = NewAccountLogin(account: account, files: files, context: context)
      let outcome = try newLogin.run(login)
      code = outcome.code
      if let holder = outcome.holder { authorised = holder } else if code != .done { return stays(account.name, code) }
    } else {
      code = try context.owner.run(login, login.arguments(for: account.name))
    }
    guard code == .done else { return code }
    if authorised.hasTimeline(), !context.invocation.isJSON { try showPosts(of: authorised) }
    if !authorised.isEnabled {
      say("\(authorised.name) is not enabled. To refresh it regularly: homeline account enable \(authorised.name)")
    }
    try service.make()
    return .done
  }

  /// Reports that an account was added but not authorised.
  private func stays(_ name: AccountName, _ code: ExitCode) -> ExitCode {
    say(
      "the account \(name) stays in the configuration. To log in: homeline login \(name); to remove it: homeline account remove \(name)"
    )
    return code
  }

  /// The line that announces the login: its first step, whether the user is asked questions, and whether there is a
  /// browser.
  private var opening: String {
    let first =
      switch name {
      case .provider(let provider): "adding an account on \(provider)"
      case .server(let address, _): "detecting the API of \(address.name), to add an account there"
      }
    let questions =
      asks ? "" : command.acceptsProposals ? "; no questions are asked" : "; without a terminal, no questions are asked"
    let browser =
      command.opensBrowser && Browser(variables: context.environment.variables) == nil
      ? "; there is no browser here, so you get a URL to open elsewhere" : ""
    return first + questions + browser
  }

  // MARK: The account

  /// A server that can have accounts: a provider's own server, or one whose API is known.
  private enum FoundServer {
    case provider(String)
    case discovered(DiscoveredServer)

    var place: AccountPlace {
      switch self {
      case .provider(let provider): AccountPlace(provider: provider, server: nil)
      case .discovered(let server): AccountPlace(provider: server.provider ?? "", server: server.base)
      }
    }
  }

  private func foundServer() throws(CommandError) -> FoundServer {
    let address: ServerAddress
    switch name {
    case .provider(let provider): return .provider(provider)
    case .server(let server, _): address = server
    }
    let found: DiscoveredServer
    let output = try context.owner.output(of: Command.Discover(text), [Command.Discover.name, text])
    do throws(DiscoveryError) { found = try DiscoveredServer(json: output) } catch {
      throw CommandError(.unavailable, "\(error)")
    }
    for finding in found.findings { say(finding) }
    guard found.provider == nil else { return .discovered(found) }
    throw CommandError(.unavailable, nothing(found, at: address))
  }

  /// The message that no API was found. It names the places that were tried, and what to type instead.
  private func nothing(_ found: DiscoveredServer, at address: ServerAddress) -> String {
    let software = found.software.map { _ in " (\(found.description))" } ?? ""
    let places = found.asked.map { address.url.origin + $0 }.joined(separator: "\n  ")
    let advice =
      name.user == nil
      ? "If your address ends in @\(address.name): homeline login @NAME@\(address.name). Otherwise, name" : "Name"
    return "\(address.name) answers\(software), but has none of these: Mastodon's API (/api/v1/instance), GNU social's "
      + "(/api/statusnet/config.json), OAuth 2.0 metadata; and it refers to no server that has one. These places were asked:\n  \(places)\n"
      + "\(advice) the server itself, which the browser shows where you are logged in: homeline login social.example. If its API is at "
      + "another address, write the account yourself: man homeline-config"
  }

  private func newAccount(
    on server: FoundServer, _ configuration: Configuration
  ) throws(CommandError) -> NewAccount {
    let registration = Registration(asks: asks, callback: configuration.callback, text: text)
    switch server {
    case .provider(let provider): return try registration.provider(provider)
    case .discovered(let found):
      switch found.api {
      case .mastodon, .unknown: return NewAccount(mastodon: found.base, software: found.software)
      case .gnusocial: return try registration.gnuSocial(found.base)
      case .oauth2: return try registration.oauth2(found.base, issuer: found.issuer ?? found.base.origin)
      }
    }
  }

  private func accountName(for account: NewAccount, _ used: Set<AccountName>) throws(CommandError) -> AccountName {
    if let name = command.accountName { return name }
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

  private func showPosts(of account: AccountSettings) throws(CommandError) {
    let show: Invocation
    do throws(UsageError) {
      show = try CommandParser(context.registry).parse(
        ["show", account.name.text, "--limit", "\(Self.shownPosts)", "--no-pager"], now: WallClock.system.now)
    } catch { throw CommandError(error) }
    guard let local = show.command as? any LocalCommand else { preconditionFailure("show is a local command") }
    _ = try local.run(in: context)
    say("to see more: homeline show \(account.name)")
    if account.publish.contains(.html) { say("to see them on a page: homeline open \(account.name)") }
  }

  private func ask(_ prompt: String) throws(CommandError) -> String? {
    do throws(SystemError) { return try Terminal.ask(prompt) } catch { throw CommandError(error) }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }
}

extension DiscoveredServer {
  /// The provider of an account on the server; nil if homeline does not support its API.
  fileprivate var provider: String? {
    switch api {
    case .mastodon: "mastodon"
    case .gnusocial: "twitter"
    case .oauth2: "oauth2"
    case .unknown: nil
    }
  }
}

extension ServerName {
  /// The user's name, if the text contains one.
  fileprivate var user: String? { if case .server(_, let user) = self { user } else { nil } }
}
