internal import Commands
internal import Folders
internal import LocalCommands
internal import Platform

/// Prepares a command, and then lets the state owner run it. If no process owns the state, this process becomes the owner.
struct PreparedRun {
  let command: any PreparedCommand
  let context: CommandContext

  /// Starts the command. If another process has run it, or if it is complete, this call does not return.
  /// - Returns: An object to keep as long as the process runs.
  func start() throws(CommandError) -> any Sendable {
    switch try command.prepare(in: context) {
    case .done(let code): code.endProcess()
    case .ask(let prepared, let arguments, let waits, let cleanUp):
      let owner = context.owner
      if !waits, OwnerSearch.owner(of: try context.layout()) == nil {
        OwnerProcess.prepare()
        return try context.commandRun(of: prepared).start()
      }
      if let code = try owner.askOwner(prepared) { finish(code, cleanUp) }
      if waits { finish(try owner.runProgram(arguments.all, of: prepared), cleanUp) }
      throw owner.handOver([OwnerRun.preparedMark] + arguments.all, of: prepared)
    }
  }

  private func finish(_ code: ExitCode, _ cleanUp: (ExitCode) -> Void) -> Never {
    cleanUp(code)
    code.endProcess()
  }
}

extension CommandContext {
  /// Returns the run of a prepared command in the state owner.
  func commandRun(of command: any OwnerCommand) throws(CommandError) -> CommandRun {
    CommandRun(
      command: try command.completed(), configuration: try configurationFiles(),
      namesConfiguration: invocation.configurationFile != nil, isJSON: invocation.isJSON, environment: environment,
      log: DaemonContext.commandLog(isVerbose: invocation.isVerbose))
  }
}
