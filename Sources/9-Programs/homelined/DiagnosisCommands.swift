internal import Commands
internal import Diagnosis
internal import Folders
internal import JSON
internal import Keyring
internal import Platform
internal import Settings
internal import StorageFiles
internal import StorageSQLite
internal import TerminalText
internal import Time

extension Command.Doctor: DaemonProgramCommand {
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    let result = DiagnosticRun(StandardChecks.all).result(in: try environment.diagnosticContext(invocation))
    Terminal.say("homeline: \(result.summary)")
    do throws(SystemError) {
      let form = TerminalForm(columns: environment.outputColumns, isColoured: environment.showsColour)
      try Terminal.answer(invocation.isJSON ? .data(OutputData(json: result.json)) : .rendered(result.text(for: form)))
    } catch { throw CommandError(error) }
    result.exitCode.endProcess()
  }
}

extension Command.Report: DaemonProgramCommand {
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    let context = try environment.diagnosticContext(invocation)
    if !onlyPrints, !ReportMail.canOpen(variables: environment.variables) {
      Terminal.say("homeline: there is no mail program here, so the report is only printed")
    }
    let report = DiagnosticReport(DiagnosticRun(StandardChecks.all).result(in: context), in: context)
    do throws(SystemError) {
      if invocation.isJSON {
        try Terminal.answer(
          JSONDocument.output { json in
            json.member("subject", DiagnosticReport.subject)
            json.member("report", report.message)
          })
      } else {
        try Terminal.answer(report.message)
      }
    } catch { throw CommandError(error) }
    if onlyPrints { ExitCode.done.endProcess() }
    guard let address = ReportMail.address(variables: environment.variables) else {
      Terminal.say("homeline: there is no address to send reports to; nothing was sent")
      ExitCode.done.endProcess()
    }
    let mail: ReportMail
    do throws(SystemError) { mail = try ReportMail(to: address, report, in: context) } catch {
      throw CommandError(
        .inputOutput,
        "the report is too long for an email, and could not be written to a file: \(error). Send the text above to \(address)"
      )
    }
    guard let program = mail.open(variables: environment.variables) else {
      throw CommandError(
        .unavailable, "no mail program was found, so nothing was sent. Send the text above to \(address)")
    }
    if let attachment = mail.attachment {
      Terminal.say(
        "homeline: the report is too long for the email, which contains only its beginning. Attach the complete report to the "
          + "email: \(attachment)")
    }
    Terminal.say(
      "homeline: \(program) shows the email to \(address). homeline has sent nothing: check the email and send it yourself"
    )
    ExitCode.done.endProcess()
  }
}

extension CommandEnvironment {
  fileprivate func diagnosticContext(_ invocation: Invocation) throws(CommandError) -> DiagnosticContext {
    let folders = try folders()
    let layout = FileLayout(folders)
    // A diagnosis starts no programs and writes no tokens.
    let keyring = TokenKeyring(session: variables, stateFolder: layout.stateFolder, startsProvider: false)
    return DiagnosticContext(
      try configurationFiles(invocation), environment: self, folders: folders,
      storage: FileStorage(layout, vault: TokenVault(keyring, protection: .files)), now: WallClock.system.now)
  }
}
