internal import Bytes
internal import Commands
internal import Discovery
internal import Folders
internal import HomelineOAuth
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage
internal import Timeline

/// `homeline login --import`: adds an account for each login of other programs, with its token. Each token is given to its own login
/// command, so that it is checked and stored like any other.
struct LoginImport {
  let command: Command.Login
  /// The server whose logins are added; nil for all servers.
  let server: ServerName?
  let context: CommandContext

  /// A login, and the file that contains it.
  private struct Found {
    let program: ForeignProgram
    let path: String
    let login: ForeignLogin
  }

  /// The result for one login.
  private enum Outcome {
    case added(AccountName)
    case known(AccountName)
    /// The token was given to another account of the same user, which had no token.
    case given(AccountName)
    case failed(ExitCode)
  }

  func run() throws(CommandError) -> ExitCode {
    let names = ForeignProgram.allCases.map(\.rawValue).joined(separator: ", ")
    say("reading the logins of \(names); their files are not changed, and no questions are asked")
    let (all, leftOut, readCode) = try read()
    var code = readCode
    let gnuSocial = try gnuSocialServer()
    let found = all.filter { isWanted($0.login, gnuSocial) }
    guard !found.isEmpty || leftOut > 0 || code != .done else {
      throw CommandError(.unavailable, "no login of \(names) was found\(server == nil ? "" : " for this server")")
    }
    var (added, known) = (0, 0)
    for one in found {
      let title =
        "\(one.program): @\(one.login.userName) at \(one.login.server?.authority ?? gnuSocial?.authority ?? "X")"
      switch result(of: one.login, gnuSocial, titled: title) {
      case .added(let name):
        added += 1
        say("\(title): added as the account \(name)")
      case .known(let name):
        known += 1
        say("\(title): skipped, because the account \(name) belongs to the same user")
      case .given(let name):
        added += 1
        say("\(title): its token belongs to the account \(name) now")
      case .failed(let failure):
        say("\(title): not added")
        code = code.worse(failure)
      }
    }
    say("\(added) of \(found.count + leftOut) logins added")
    // Entries without a complete login are a failure only if there are no other entries.
    if leftOut > 0, added + known == 0 { code = code.worse(.badData) }
    if added > 0 { try ServiceOffer(context: context, asks: false, accepts: command.acceptsProposals).make() }
    return code
  }

  // MARK: Reading

  /// Reads all files. A file or an entry that cannot be read is reported, and the others are still read.
  /// - Returns: the logins, the number of entries left out, and the exit code for the files left out.
  private func read() throws(CommandError) -> (found: [Found], leftOut: Int, code: ExitCode) {
    let configuration = try context.folders().config
    guard let home = context.environment.variables["HOME"] else {
      throw CommandError(.configuration, "HOME is not set, so the files of other programs cannot be found")
    }
    var (found, leftOut, code) = ([Found](), 0, ExitCode.done)
    for program in ForeignProgram.allCases {
      let path = program.file(home: home, configuration: configuration)
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try TrustedFile.readControlled(path, limit: ForeignProgram.byteLimit) } catch {
        if error.isNoEntry { continue }
        // Importing a token for another user's account would show that user what this user reads and posts.
        let reason = ". It was not read, because anyone who can change it could give you their account"
        say("\(error)\(error.isNotPermitted ? reason : "")")
        code = code.worse(.badData)
        continue
      }
      do throws(ForeignFileError) {
        let content = try program.logins(in: bytes)
        found += content.logins.map { Found(program: program, path: path, login: $0) }
        leftOut += content.leftOut.count
        for problem in content.leftOut { say("\(path): \(problem). This login was left out") }
      } catch {
        say("\(path): \(error)")
        code = code.worse(.badData)
      }
    }
    return (found, leftOut, code)
  }

  /// Returns the server that the logins of `t` and `twurl` belong to, because their files do not name it; nil if it is X.
  private func gnuSocialServer() throws(CommandError) -> RequestURL? {
    guard case .server(let address, _)? = server else { return nil }
    let url = address.url.text
    let output = try context.owner.output(of: Command.Discover(url), [Command.Discover.name, url])
    do throws(DiscoveryError) {
      let found = try DiscoveredServer(json: output)
      for finding in found.findings { say(finding) }
      return found.api == .gnusocial ? found.base : nil
    } catch { throw CommandError(.unavailable, "\(error)") }
  }

  private func isWanted(_ login: ForeignLogin, _ gnuSocial: RequestURL?) -> Bool {
    switch server {
    case nil: true
    case .provider(let name): name == "x" && login.server == nil
    case .server(let address, _): login.server.map { $0.origin == address.url.origin } ?? (gnuSocial != nil)
    }
  }

  // MARK: Adding

  /// Adds a login. A failure is reported, and does not end the import.
  private func result(of login: ForeignLogin, _ gnuSocial: RequestURL?, titled title: String) -> Outcome {
    do throws(CommandError) { return try add(login, gnuSocial, titled: title) } catch {
      Terminal.say("homeline: \(error)")
      return .failed(error.exitCode)
    }
  }

  private func add(
    _ login: ForeignLogin, _ gnuSocial: RequestURL?, titled title: String
  ) throws(CommandError) -> Outcome {
    let files = try context.configurationFiles()
    let accounts = files.exist ? try files.load().accounts : []
    let account = newAccount(login, gnuSocial)
    let storage = try context.storage()
    // An account without a token is not skipped: it gets this token.
    let authorised = Set(accounts.map(\.name).filter { storage.tokens(of: $0).isPresent })
    let known = KnownAccount.all(at: account.place, in: accounts, storage)
    if let known = known.first(where: { authorised.contains($0.name) && $0.isUser(login.userName) }) {
      return .known(known.name)
    }
    if account.provider == "x" { say("\(title): X charges for each post; by default, at most $1 a day is spent") }
    let name = account.proposedName(of: login.userName, except: Set(accounts.map(\.name)))
    say("wrote \(try ConfigurationFileEdit(files: files).add(name, account.json))")
    var code = try context.owner.reloadService(files)
    if code == .done { code = try logIn(to: name, with: login) }
    // If only the first refresh failed, the token is stored.
    if storage.tokens(of: name).isPresent { return .added(name) }
    guard let settings = try files.load()[name] else { return .failed(code) }
    let newLogin = NewAccountLogin(account: settings, files: files, context: context)
    if let holder = try newLogin.removeIfSuperfluous() {
      if code != .done { return .failed(code) }
      return authorised.contains(holder.name) ? .known(holder.name) : .given(holder.name)
    }
    say("the token could not be used")
    try newLogin.remove()
    return .failed(code)
  }

  private func newAccount(_ login: ForeignLogin, _ gnuSocial: RequestURL?) -> NewAccount {
    guard let consumer = login.consumer else {
      guard let server = login.server else { preconditionFailure("an OAuth 2.0 login has a server") }
      return NewAccount(mastodon: server, software: nil)
    }
    let keys = [
      (name: "consumer_key", value: consumer.key),
      (name: "consumer_secret", value: consumer.secret.withExposedText { $0 }),
    ]
    return gnuSocial.map { NewAccount(gnuSocial: $0, registration: keys) } ?? NewAccount("x", registration: keys)
  }

  /// Runs a login command that reads the token from its standard input.
  private func logIn(to name: AccountName, with login: ForeignLogin) throws(CommandError) -> ExitCode {
    var loginCommand = command.named(name)
    loginCommand.importsAccounts = false
    loginCommand.usesToken = true
    loginCommand.isForNewAccount = true
    let lines = [login.token, login.tokenSecret].compactMap(\.self).map { $0.withExposedText { $0 } + "\n" }
    let configuration = context.invocation.configurationFile.map { ["--config", $0] } ?? []
    do throws(SystemError) {
      try StandardInput.replace(with: lines.joined())
      let status = try Child.runInForeground(
        try ProcessEnvironment.programPath(), loginCommand.arguments(for: name) + configuration,
        environment: context.environment.variables)
      return ExitCode(rawValue: status) ?? .software
    } catch { throw CommandError(.software, "\(error)") }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }
}
