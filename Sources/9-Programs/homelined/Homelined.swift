internal import Commands
internal import Dispatch
internal import LocalCommands
internal import Platform
internal import Time

extension Command.Daemon: DaemonProgramCommand {
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    if reloads { try ServiceReload(environment: environment).run().endProcess() }
    guard once else { return DaemonStart(invocation: invocation, environment: environment).start() }
    return try DueRefresh(
      configuration: try environment.configurationFiles(invocation), environment: environment,
      log: DaemonContext.commandLog(isVerbose: invocation.isVerbose)
    ).start()
  }
}

extension Command.Demo: DaemonProgramCommand {
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    try DemoStart(
      arguments: self, isJSON: invocation.isJSON, environment: environment,
      log: DaemonContext.commandLog(isVerbose: invocation.isVerbose)
    ).start()
  }
}

/// The `homelined` program: runs a command in the state owner, or becomes that process, and exits with the command's code.
struct Homelined {
  let registry: CommandRegistry
  let environment: CommandEnvironment

  func run(_ arguments: [String]) -> Never {
    do throws(CommandError) {
      let isPrepared = arguments.first == OwnerRun.preparedMark
      let invocation: Invocation
      do throws(UsageError) {
        invocation = try CommandParser(registry).parse(
          isPrepared ? Array(arguments.dropFirst()) : arguments, now: WallClock.system.now)
      } catch {
        throw CommandError(error)
      }
      let work = try begin(invocation, isPrepared: isPrepared)
      // The object holds the lock on the state and the running demo.
      withExtendedLifetime(work) { dispatchMain() }
    } catch {
      Terminal.say("homeline: \(error)")
      error.exitCode.endProcess()
    }
  }

  /// Starts the command, which exits the process when it is done.
  /// - Parameter isPrepared: Whether another process has prepared the command.
  /// - Returns: An object to keep as long as the process runs.
  private func begin(_ invocation: Invocation, isPrepared: Bool) throws(CommandError) -> any Sendable {
    let context = CommandContext(registry: registry, environment: environment, invocation: invocation)
    // These commands run as they would in `homeline`: a closed pipe and Ctrl-C end them.
    if let command = invocation.command as? any LocalCommand { try command.run(in: context).endProcess() }
    if !isPrepared, let command = invocation.command as? any PreparedCommand {
      return try PreparedRun(command: command, context: context).start()
    }
    OwnerProcess.prepare()
    if let command = invocation.command as? any OwnerCommand { return try context.commandRun(of: command).start() }
    if let command = invocation.command as? any DaemonProgramCommand {
      return try command.start(invocation, in: environment)
    }
    throw CommandError(
      .usage, "homelined is started by homeline or systemd; run: homeline \(type(of: invocation.command).name)")
  }
}
