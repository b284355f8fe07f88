internal import Accounts
internal import Commands
internal import ControlProtocol
internal import Dispatch
internal import Folders
internal import LocalCommands
internal import Platform
internal import Service
internal import Settings

/// `homeline daemon --once`: refreshes each account that is due. Succeeds even if no account is due.
struct DueRefresh {
  let configuration: ConfigurationFiles
  let environment: CommandEnvironment
  let log: Log

  /// Starts the command.
  /// - Returns: An object to keep as long as the process runs.
  func start() throws(CommandError) -> any Sendable {
    let layout = FileLayout(try environment.folders())
    let settings = try configuration.load()
    let context = try DaemonContext(
      holding: try HeldLock.takeAlone(layout, for: "daemon --once"),
      DaemonContext.Plan(
        configuration: settings, configurationPath: configuration.identity, layout: layout, log: log),
      environment: environment)
    context.accountManager.refresh(settings.enabledAccounts, onlyDue: true, on: .main) { reports in
      var code = ExitCode.done
      for report in reports {
        let event = RefreshedEvent(report, files: layout.files(of: report.account))
        RefreshTerminal.show(event)
        code = code.worse(event.exit)
      }
      context.accountManager.afterInterruptedPurges { [code] in
        DispatchQueue.main.async {
          context.accountManager.whenPostsRest(on: .main) { context.controlServer.stopWhenIdle { context.end(code) } }
        }
      }
    }
    return context
  }
}
