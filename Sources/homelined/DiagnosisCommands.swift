internal import CivilTime
internal import Commands
internal import Diagnosis
internal import Files
internal import Keyring
internal import Platform
internal import Settings
internal import StorageSQLite

extension Command.Doctor: DaemonProgramCommand {
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    let result = DiagnosticRun(StandardChecks.all).result(in: try environment.diagnosticContext(invocation))
    Terminal.say("homeline: \(result.summary)")
    do throws(SystemError) {
      if isJSON { try Terminal.answer(bytes: result.json) } else { try Terminal.answer(result.text) }
    } catch { throw CommandError(.inputOutput, "\(error)") }
    result.exitCode.endProcess()
  }
}

extension Command.Report: DaemonProgramCommand {
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    let context = try environment.diagnosticContext(invocation)
    let report = DiagnosticReport(DiagnosticRun(StandardChecks.all).result(in: context), in: context)
    do throws(SystemError) { try Terminal.answer(report.message()) } catch {
      throw CommandError(.inputOutput, "\(error)")
    }
    if onlyPrints { ExitCode.done.endProcess() }
    guard let address = ReportMail.address(variables: environment.variables) else {
      Terminal.say("homeline: there is no address to send reports to; nothing was sent")
      ExitCode.done.endProcess()
    }
    guard let program = ReportMail(to: address, report).open(variables: environment.variables) else {
      throw CommandError(
        .unavailable, "no mail program was found, and nothing was sent. Send the text above to \(address)")
    }
    Terminal.say("homeline: \(program) shows the mail to \(address). homeline has sent nothing; read it and send it")
    ExitCode.done.endProcess()
  }
}

extension CommandEnvironment {
  fileprivate func diagnosticContext(_ invocation: Invocation) throws(CommandError) -> DiagnosticContext {
    let folders = try folders()
    let layout = FileLayout(folders)
    // A diagnosis starts nothing, and writes no token.
    let keyring = TokenKeyring(session: variables, stateFolder: layout.stateFolder, startsProvider: false)
    return DiagnosticContext(
      try configurationFile(invocation), environment: self, folders: folders,
      storage: FileStorage(layout, vault: TokenVault(keyring, protection: .files)), now: WallClock.system.now)
  }
}
