internal import CivilTime
internal import Commands
internal import Control
internal import Files
internal import Platform

/// The program `homeline`: parses its arguments, runs commands that need no network, and sends the others to the owner of the state. If there
/// is no owner, it becomes `homelined`.
struct Homeline {
  let registry: CommandRegistry
  let environment: CommandEnvironment

  /// - Returns: The exit code of the program.
  func run(_ arguments: [String]) -> ExitCode {
    if arguments.isEmpty {
      Terminal.say(HelpText(registry).overview + "homeline: no command was given")
      return .usage
    }
    do throws(CommandError) { return try perform(arguments) } catch {
      Terminal.say(error.description)
      return error.code
    }
  }

  private func perform(_ arguments: [String]) throws(CommandError) -> ExitCode {
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try CommandParser(registry).parse(arguments, now: WallClock.system.now)
    } catch { throw error.failure }
    let context = CommandContext(
      registry: registry, environment: environment, invocation: invocation, arguments: arguments)
    let command = invocation.command
    if let local = command as? any LocalCommand { return try local.run(in: context) }
    if let owned = command as? any OwnerCommand { return try perform(owned, context) }
    throw handOver(arguments, of: command, isVerbose: invocation.isVerbose)
  }

  /// Runs a command in the owner of the state.
  private func perform(_ command: any OwnerCommand, _ context: CommandContext) throws(CommandError) -> ExitCode {
    var (command, arguments, waits) = (command, context.arguments, false)
    var cleanUp = { (_: ExitCode) in }
    if let prepared = command as? any PreparedCommand {
      switch try prepared.prepare(in: context) {
      case .done(let code): return code
      case .ask(let prepared, let others, let isWaiting, let after):
        (command, arguments, waits, cleanUp) = (prepared, others, isWaiting, after)
      }
    }
    if let code = try askOwner(command, context.invocation) {
      cleanUp(code)
      return code
    }
    if waits {
      let code = try runProgram(arguments, of: command, isVerbose: context.invocation.isVerbose)
      cleanUp(code)
      return code
    }
    throw handOver(arguments, of: command, isVerbose: context.invocation.isVerbose)
  }

  /// Sends a command to the owner of the state, if there is one that accepts requests.
  /// - Returns: nil if there is none: then `homelined` becomes the owner, or reports why the current one does not reply.
  private func askOwner(_ command: some OwnerCommand, _ invocation: Invocation) throws(CommandError) -> ExitCode? {
    let owner = OwnerSearch.owner(of: FileLayout(try environment.folders()))
    guard let owner, let path = owner.controlSocket else { return nil }
    if invocation.isVerbose { Terminal.say("homeline: sending the command to \(owner) at \(path)") }
    if let note = owner.upgradeNote { Terminal.say("homeline: \(note)") }
    // A closed standard output must not end a login halfway.
    Terminal.surviveFailedWrites()
    let client = OwnerClient(
      ControlClient(path: path), configuration: invocation.configurationFile, environment: environment)
    do throws(OwnerUnavailableError) { return try client.run(command) } catch {
      if invocation.isVerbose { Terminal.say("homeline: \(error)") }
      return nil
    }
  }

  /// Replaces this process's program with another one with these arguments (`execv`). Returns only if that fails.
  private func handOver(
    _ arguments: [String], of command: any CommandDeclaration, isVerbose: Bool
  ) -> CommandError {
    do throws(CommandError) {
      let path = try program(of: command, isVerbose: isVerbose)
      return CommandError(.software, "\(ProcessEnvironment.become(path, arguments: arguments))")
    } catch { return error }
  }

  /// Runs the command's program and waits until it exits.
  private func runProgram(
    _ arguments: [String], of command: any CommandDeclaration, isVerbose: Bool
  ) throws(CommandError) -> ExitCode {
    let path = try program(of: command, isVerbose: isVerbose)
    do throws(SystemError) {
      let status = try Child.runInForeground(path, arguments, environment: environment.variables)
      return ExitCode(rawValue: status) ?? .software
    } catch { throw CommandError(.software, "\(error)") }
  }

  /// The path of the program that runs a command.
  private func program(of command: any CommandDeclaration, isVerbose: Bool) throws(CommandError) -> String {
    guard let other = type(of: command).program else {
      preconditionFailure("\(type(of: command).name) has no program and is not a LocalCommand")
    }
    let program: String
    do throws(SystemError) { program = try ProcessEnvironment.programPath() } catch {
      throw CommandError(.software, "\(error)")
    }
    let path = try other.find(besides: program, isExecutable: File.isExecutable)
    if isVerbose { Terminal.say("homeline: running \(path)") }
    return path
  }
}
