internal import CivilTime
internal import Commands
internal import Console
internal import Control
internal import Glibc
internal import HomelineOAuth
internal import Platform
internal import Settings
internal import Store

/// The command: parses its arguments, does what needs no network, asks the owner of the state for the rest, and becomes
/// `homelined` where there is none.
struct Homeline {
  let surroundings: Surroundings

  /// - Returns: the exit code.
  func run(_ arguments: [String]) -> Int32 {
    let code: ExitCode
    do throws(CommandFailure) {
      code = try perform(arguments)
    } catch {
      Terminal.say(error.description)
      code = error.code
    }
    return code.rawValue
  }

  private func perform(_ arguments: [String]) throws(CommandFailure) -> ExitCode {
    let invocation: Invocation
    do throws(UsageError) { invocation = try CommandParser.parse(arguments) } catch { throw error.failure }
    if case .token(let account) = invocation.command, let token = try tokenAtHand(account, invocation) {
      return TokenTerminal.show(token)
    }
    if let code = try askOwner(invocation) { return code }
    if invocation.command.needsDaemonProgram { throw handOver(arguments, isVerbose: invocation.isVerbose) }
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
    // A reader of the answer that has gone must not end a half-done login.
    Terminal.surviveFailedWrites()
    let console = Console(
      ControlClient(path: path), configuration: invocation.configurationFile, surroundings: surroundings)
    do throws(NobodyTookIt) { return try console.run(command) } catch {
      if invocation.isVerbose { Terminal.say("homeline: \(error)") }
      return nil
    }
  }

  private func answer(to invocation: Invocation) throws(CommandFailure) -> Answer {
    switch invocation.command {
    case .version: Answer(Version.text + "\n")
    case .help(let topic): Answer(HelpText.text(of: topic))
    case .check: try CheckCommand(file: try surroundings.configurationFile(invocation)).answer()
    case .sign(let arguments):
      try SignCommand(arguments: arguments, keys: try keys(for: arguments, invocation)).answer()
    case .show(let arguments): try show(arguments, invocation).answer()
    case .status(let account, let isJSON): try status(account, isJSON: isJSON, invocation).answer()
    case .login, .logout, .daemon, .refresh, .token, .demo:
      preconditionFailure("\(invocation.command.name.rawValue) is not done here")
    }
  }

  /// Becomes `homelined` with the same arguments. Returns only to say why that did not work.
  private func handOver(_ arguments: [String], isVerbose: Bool) -> CommandFailure {
    do throws(CommandFailure) {
      let program: String
      do throws(SystemError) { program = try ProcessEnvironment.programPath() } catch {
        throw CommandFailure(.software, "\(error)")
      }
      let daemon = try DaemonProgram.find(besides: program, isExecutable: File.isExecutable)
      if isVerbose { Terminal.say("homeline: running \(daemon)") }
      return CommandFailure(.software, "\(ProcessEnvironment.become(daemon, arguments: arguments))")
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
    _ account: AccountName?, isJSON: Bool, _ invocation: Invocation
  ) throws(CommandFailure) -> StatusCommand {
    StatusCommand(
      account: account, isJSON: isJSON, file: try surroundings.configurationFile(invocation),
      layout: FileLayout(try surroundings.folders()), now: WallClock.system.now)
  }

  private func show(_ arguments: Command.Show, _ invocation: Invocation) throws(CommandFailure) -> ShowCommand {
    let files = PublishedFiles(FileLayout(try surroundings.folders()))
    let path = try files.path(for: arguments.account, try surroundings.configurationFile(invocation))
    return ShowCommand(
      arguments: arguments, path: path, now: WallClock.system.now, isColoured: surroundings.showsColour)
  }
}
