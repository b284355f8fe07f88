internal import CivilTime
internal import Commands
internal import ConfigurationStore
internal import Dispatch
internal import Platform
internal import Service
internal import Settings

/// A command that `homelined` runs, usually as the owner of the state.
protocol DaemonProgramCommand: CommandDeclaration {
  /// Starts the command, which exits the process when it is done.
  /// - Returns: An object to keep as long as the process runs.
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable
}

extension DaemonProgramCommand {
  /// Runs a command that needs no queue on a separate thread, and exits the process with its code.
  func startThread(_ run: @escaping @Sendable () throws(CommandError) -> ExitCode) throws(CommandError) {
    do throws(SystemError) {
      try DetachedThread.start {
        do throws(CommandError) { try run().endProcess() } catch {
          Terminal.say("homeline: \(error)")
          error.exitCode.endProcess()
        }
      }
    } catch { throw CommandError(.software, "\(error)") }
  }
}

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

/// The program `homelined`: runs a command in the process that owns the state, or becomes that process, and exits with the command's code.
struct Homelined {
  let registry: CommandRegistry
  let environment: CommandEnvironment

  func run(_ arguments: [String]) -> Never {
    CoreFiles.forbid()
    // Standard output can be a pipe. Even if its reader exits, an unfinished login must continue.
    Terminal.surviveFailedWrites()
    IdleMemory.shareHeap()
    do throws(CommandError) {
      let invocation: Invocation
      do throws(UsageError) {
        invocation = try CommandParser(registry).parse(arguments, now: WallClock.system.now)
      } catch {
        throw CommandError(error)
      }
      let work = try begin(invocation)
      // The object holds the lock on the state and the running demo.
      withExtendedLifetime(work) { dispatchMain() }
    } catch {
      Terminal.say("homeline: \(error)")
      error.exitCode.endProcess()
    }
  }

  /// Starts the command, which exits the process when it is done.
  /// - Returns: An object to keep as long as the process runs.
  private func begin(_ invocation: Invocation) throws(CommandError) -> any Sendable {
    if let command = invocation.command as? any OwnerCommand {
      return try CommandRun(
        command: try command.completed(), configuration: try environment.configurationFiles(invocation),
        namesConfiguration: invocation.configurationFile != nil, isJSON: invocation.isJSON, environment: environment,
        log: DaemonContext.commandLog(isVerbose: invocation.isVerbose)
      ).start()
    }
    if let command = invocation.command as? any DaemonProgramCommand {
      return try command.start(invocation, in: environment)
    }
    throw CommandError(
      .usage, "homelined is started by homeline or systemd; run: homeline \(type(of: invocation.command).name)")
  }
}
