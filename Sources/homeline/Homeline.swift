internal import CivilTime
internal import Commands
internal import Console
internal import Control
internal import Glibc
internal import HomelineOAuth
internal import Platform
internal import Settings
internal import Store
internal import Timeline

extension Invocation {
  /// The arguments that say the same, of posts that were laid down.
  fileprivate func arguments(of staged: Command.Import) -> [String] {
    let options = ["--account", staged.account?.text].compactMap { $0 }
    return [CommandName.importing.rawValue, staged.file] + options
      + (configurationFile.map { ["--config", $0] } ?? []) + (isVerbose ? ["-v"] : [])
  }
}

/// The command: parses its arguments, does what needs no network, asks the owner of the state for the rest, and becomes
/// `homelined` where there is none.
struct Homeline {
  let surroundings: Surroundings

  /// - Returns: what to end with.
  func run(_ arguments: [String]) -> ExitCode {
    if arguments.isEmpty {
      Terminal.say(HelpText.text(of: nil) + "homeline: name a command")
      return .usage
    }
    do throws(CommandFailure) { return try perform(arguments) } catch {
      Terminal.say(error.description)
      return error.code
    }
  }

  private func perform(_ arguments: [String]) throws(CommandFailure) -> ExitCode {
    let invocation: Invocation
    do throws(UsageError) { invocation = try CommandParser.parse(arguments, now: WallClock.system.now) } catch {
      throw error.failure
    }
    if case .sandbox = invocation.command {
      throw handOver(arguments, to: .sandbox, isVerbose: invocation.isVerbose)
    }
    if case .token(let account) = invocation.command, let token = try tokenAtHand(account, invocation) {
      return TokenTerminal.show(token)
    }
    if case .importing(let asked) = invocation.command {
      return try take(try staging(asked, invocation).staged(), invocation)
    }
    if let code = try askOwner(invocation) { return code }
    if invocation.command.needsDaemonProgram { throw handOver(arguments, isVerbose: invocation.isVerbose) }
    if case .export(let arguments) = invocation.command { return try export(arguments, invocation) }
    if case .show(let arguments) = invocation.command, arguments.follows {
      return try follow(arguments, invocation).run()
    }
    let answer = try answer(to: invocation)
    for note in answer.notes { Terminal.say("homeline: \(note)") }
    return try write(answer)
  }

  /// Has the owner of the state do it, where there is one that takes commands.
  /// - Returns: nil when there is none: `homelined` becomes it, or finds out what is the matter with the one that there is.
  private func askOwner(_ invocation: Invocation) throws(CommandFailure) -> ExitCode? {
    guard let command = OwnerCommand(invocation.command) else { return nil }
    let owner = OwnerSearch.owner(of: FileLayout(try surroundings.folders()))
    guard let owner, let path = owner.controlSocket else { return nil }
    if invocation.isVerbose { Terminal.say("homeline: asking \(owner) at \(path)") }
    if let note = owner.upgradeNote { Terminal.say("homeline: \(note)") }
    // A reader of the answer that has gone must not end a half-done login.
    Terminal.surviveFailedWrites()
    let console = Console(
      ControlClient(path: path), configuration: invocation.configurationFile, surroundings: surroundings)
    do throws(NobodyTookIt) { return try console.run(command) } catch {
      if invocation.isVerbose { Terminal.say("homeline: \(error)") }
      return nil
    }
  }

  /// Has the owner take in what was laid down, or becomes it, for the same.
  private func take(_ staged: Command.Import, _ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    var asked = invocation
    asked.command = .importing(staged)
    if let code = try askOwner(asked) {
      // An owner that did not take it on has left it there.
      try? File.remove(staged.file)
      return code
    }
    throw handOver(asked.arguments(of: staged), isVerbose: invocation.isVerbose)
  }

  private func staging(_ asked: Command.Import, _ invocation: Invocation) throws(CommandFailure) -> ImportStaging {
    ImportStaging(
      arguments: asked, account: try account(asked.account, invocation),
      layout: FileLayout(try surroundings.folders()))
  }

  private func answer(to invocation: Invocation) throws(CommandFailure) -> Answer {
    switch invocation.command {
    case .version: Answer(Version.text + "\n")
    case .help(let topic): Answer(HelpText.text(of: topic))
    case .check(let archive, let account): try check(archive: archive, account, invocation)
    case .search(let arguments):
      try SearchCommand(
        arguments: arguments, archives: try archives(), now: WallClock.system.now,
        form: surroundings.terminalForm
      ).answer()
    case .sign(let arguments):
      try SignCommand(arguments: arguments, keys: try keys(for: arguments, invocation)).answer()
    case .show(let arguments): try show(arguments, invocation).answer()
    case .status(let account, let isJSON, let all):
      try status(account, isJSON: isJSON, showsAll: all, invocation).answer()
    case .open(let arguments): try open(arguments, invocation).answer()
    case .export, .login, .logout, .daemon, .refresh, .token, .demo, .sandbox, .read, .importing, .purge:
      preconditionFailure("\(invocation.command.name.rawValue) is not done here")
    }
  }

  /// Becomes another program with the same arguments. Returns only to say why that did not work.
  private func handOver(
    _ arguments: [String], to other: LibexecProgram = .daemon, isVerbose: Bool
  ) -> CommandFailure {
    do throws(CommandFailure) {
      let program: String
      do throws(SystemError) { program = try ProcessEnvironment.programPath() } catch {
        throw CommandFailure(.software, "\(error)")
      }
      let path = try other.find(besides: program, isExecutable: File.isExecutable)
      if isVerbose { Terminal.say("homeline: running \(path)") }
      return CommandFailure(.software, "\(ProcessEnvironment.become(path, arguments: arguments))")
    } catch { return error }
  }

  private func write(_ answer: Answer) throws(CommandFailure) -> ExitCode {
    do throws(SystemError) {
      try Terminal.answer(bytes: answer.bytes)
    } catch {
      // Whoever ignores SIGPIPE for us, as some service managers do, still need not hear that a reader has gone.
      if error.code == EPIPE { return .inputOutput }
      throw CommandFailure(.inputOutput, "\(error)")
    }
    return answer.code
  }

  private func archives() throws(CommandFailure) -> Archives {
    Archives(layout: FileLayout(try surroundings.folders()))
  }

  /// The configuration, and where it is wanted the archives; of those the configuration says nothing.
  private func check(
    archive: Bool, _ account: AccountName?, _ invocation: Invocation
  ) throws(CommandFailure) -> Answer {
    if archive { return try ArchiveCheck(archives: try archives(), account: account).answer() }
    return try CheckCommand(file: try surroundings.configurationFile(invocation)).answer()
  }

  /// Writes as it reads: an archive is larger than the memory it is read with.
  private func export(_ arguments: Command.Export, _ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let archives = try archives()
    let account = try archives.account(arguments.account, try surroundings.configurationFile(invocation))
    do {
      try ExportCommand(arguments: arguments, account: account, archives: archives).run {
        try Terminal.answer(bytes: $0)
      }
      return .done
    } catch let error as CommandFailure {
      throw error
    } catch let error as SystemError {
      if error.code == EPIPE { return .inputOutput }
      throw CommandFailure(.inputOutput, "\(error)")
    } catch { preconditionFailure("an export throws two kinds of errors") }
  }

  /// The token, where nobody has to be asked for it.
  private func tokenAtHand(_ name: AccountName?, _ invocation: Invocation) throws(CommandFailure) -> Secret? {
    try TokenCommand(
      account: try account(name, invocation), layout: FileLayout(try surroundings.folders()), now: WallClock.system.now
    ).tokenAtHand()
  }

  private func account(_ name: AccountName?, _ invocation: Invocation) throws(CommandFailure) -> AccountSettings {
    let configuration = try surroundings.configurationFile(invocation).load()
    do throws(AccountChoiceError) { return try configuration.account(named: name?.text) } catch {
      throw CommandFailure(.usage, "\(error)")
    }
  }

  private func keys(for arguments: Command.Sign, _ invocation: Invocation) throws(CommandFailure) -> SigningKeys {
    guard let name = arguments.account else { return try SigningKeys(variables: surroundings.variables) }
    let account = try account(name, invocation)
    let folders = try surroundings.folders()
    return try SigningKeys(
      of: account, secrets: SecretResolver(variables: surroundings.variables, folders: folders),
      layout: FileLayout(folders))
  }

  private func status(
    _ account: AccountName?, isJSON: Bool, showsAll: Bool, _ invocation: Invocation
  ) throws(CommandFailure) -> StatusCommand {
    StatusCommand(
      account: account, isJSON: isJSON, showsAll: showsAll, file: try surroundings.configurationFile(invocation),
      layout: FileLayout(try surroundings.folders()), now: WallClock.system.now)
  }

  private func open(_ arguments: Command.Open, _ invocation: Invocation) throws(CommandFailure) -> OpenCommand {
    let layout = FileLayout(try surroundings.folders())
    let browser = Browser(variables: surroundings.variables)
    if let view = arguments.view {
      return OpenCommand(
        arguments: arguments, path: "\(layout.viewFolder(of: view.text))/\(PublishedFormat.html.fileName)",
        mediaFolder: layout.mediaFolder, name: "the view \(view)", browser: browser)
    }
    let account = try PublishedFiles(layout).account(arguments.account, try surroundings.configurationFile(invocation))
    return OpenCommand(
      arguments: arguments, path: layout.files(of: account.text).published(as: .html),
      mediaFolder: layout.mediaFolder, name: account.text,
      browser: browser)
  }

  private func show(_ arguments: Command.Show, _ invocation: Invocation) throws(CommandFailure) -> ShowCommand {
    let files = PublishedFiles(FileLayout(try surroundings.folders()))
    let now = WallClock.system.now
    return ShowCommand(
      arguments: arguments, sources: try sources(of: arguments, among: files, invocation), now: now,
      writer: surroundings.postWriter(for: arguments, at: now))
  }

  private func follow(_ arguments: Command.Show, _ invocation: Invocation) throws(CommandFailure) -> FollowCommand {
    let files = PublishedFiles(FileLayout(try surroundings.folders()))
    let surroundings = surroundings
    return FollowCommand(
      arguments, of: try sources(of: arguments, among: files, invocation), among: files
    ) { now in surroundings.postWriter(for: arguments, at: now) }
  }

  private func sources(
    of arguments: Command.Show, among files: PublishedFiles, _ invocation: Invocation
  ) throws(CommandFailure) -> [ShownSource] {
    try files.sources(for: arguments, try surroundings.configurationFile(invocation))
  }
}
