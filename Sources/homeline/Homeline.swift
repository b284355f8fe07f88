internal import CivilTime
internal import Commands
internal import Platform

/// The program `homeline`. It parses its arguments, runs commands that need no network, and sends other commands to the owner of the state.
/// If no process owns the state, it becomes `homelined`.
struct Homeline {
  let registry: CommandRegistry
  let environment: CommandEnvironment

  /// Runs the program.
  /// - Returns: The exit code of the program.
  func run(_ arguments: [String]) -> ExitCode {
    if arguments.isEmpty {
      let help = HelpText(registry, columns: Terminal.errorColumns)
      Terminal.say(help.overview + "homeline: no command was given")
      return .usage
    }
    do throws(CommandError) { return try perform(arguments) } catch {
      Terminal.say("homeline: \(error)")
      return error.exitCode
    }
  }

  private func perform(_ arguments: [String]) throws(CommandError) -> ExitCode {
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try CommandParser(registry).parse(arguments, now: WallClock.system.now)
    } catch { throw CommandError(error) }
    let context = CommandContext(
      registry: registry, environment: environment, invocation: invocation, arguments: invocation.settled)
    let command = invocation.command
    if let local = command as? any LocalCommand { return try local.run(in: context) }
    if let owned = command as? any OwnerCommand { return try perform(owned, context) }
    throw OwnerRun(environment: environment, invocation: invocation).handOver(arguments, of: command)
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
    let run = OwnerRun(environment: environment, invocation: context.invocation)
    if let code = try run.askOwner(command) {
      cleanUp(code)
      return code
    }
    if waits {
      let code = try run.runProgram(arguments.all, of: command)
      cleanUp(code)
      return code
    }
    throw run.handOver(arguments.all, of: command)
  }
}
