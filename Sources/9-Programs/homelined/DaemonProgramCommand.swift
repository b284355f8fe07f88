internal import Commands
internal import Platform

/// A command that `homelined` runs, usually as the state owner.
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
