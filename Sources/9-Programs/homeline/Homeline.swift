internal import Commands
internal import LocalCommands
internal import Platform
internal import Time

/// The `homeline` program. It parses its arguments, runs the commands that only read published files, and sends others to the owner of the
/// state. For everything else, it becomes `homelined`.
///
/// It is not linked with libcrypto and SQLite, because the dynamic loader would take longer to bind them than most commands run
/// (docs/decisions/code-and-libraries.md, 0028).
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
    let context = CommandContext(registry: registry, environment: environment, invocation: invocation)
    let command = invocation.command
    if let local = Self.local(command) { return try local.run(in: context) }
    if let owned = command as? any OwnerCommand, !type(of: owned).isPrepared {
      if let code = try context.owner.askOwner(owned) { return code }
      throw context.owner.handOver(context.arguments.all, of: owned)
    }
    throw context.owner.handOver(arguments, of: command)
  }

  /// Returns the command if this program runs it. Comparing types takes a fraction of the time of searching for a conformance.
  private static func local(_ command: any CommandDeclaration) -> (any LocalCommand)? {
    switch command {
    case let command as Command.Show: command.showsThreads ? nil : command
    case let command as Command.Version: command
    case let command as Command.Help: command
    case let command as Command.Completions: command
    case let command as Command.Complete: command
    default: nil
    }
  }
}
