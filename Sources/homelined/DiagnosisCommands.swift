internal import CivilTime
internal import Commands
internal import Diagnosis
internal import Files
internal import Platform
internal import StorageSQLite

extension Command.Doctor: DaemonProgramCommand {
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    let result = DiagnosticRun().result(in: try environment.diagnosticContext(invocation))
    Terminal.say("homeline: \(result.summary)")
    do throws(SystemError) {
      if isJSON { try Terminal.answer(bytes: result.json) } else { try Terminal.answer(result.text) }
    } catch { throw CommandError(.inputOutput, "\(error)") }
    result.exitCode.endProcess()
  }
}

extension CommandEnvironment {
  fileprivate func diagnosticContext(_ invocation: Invocation) throws(CommandError) -> DiagnosticContext {
    let folders = try folders()
    return DiagnosticContext(
      try configurationFile(invocation), environment: self, folders: folders, storage: FileStorage(FileLayout(folders)),
      now: WallClock.system.now)
  }
}
