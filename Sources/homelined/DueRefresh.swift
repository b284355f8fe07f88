internal import Commands
internal import Control
internal import Dispatch
internal import Files
internal import Platform
internal import Service
internal import Settings

/// `homeline daemon --once`: refreshes each due account a single time. That none was due is no failure.
struct DueRefresh {
  let configuration: ConfigurationFile
  let surroundings: Surroundings
  let log: Log

  /// - Returns: what has to live as long as the process.
  func start() throws(CommandFailure) -> any Sendable {
    let layout = FileLayout(try surroundings.folders())
    let settings = try configuration.load()
    let house = try House(
      holding: try HeldLock.takeAlone(layout, for: "daemon --once"),
      House.Plan(
        configuration: settings, configurationPath: File.realPath(configuration.path), layout: layout, log: log),
      surroundings: surroundings)
    house.accountManager.refresh(settings.enabledAccounts, onlyDue: true, on: .main) { reports in
      var code = ExitCode.done
      for report in reports {
        let event = RefreshedEvent(report, timeline: layout.files(of: report.account).timeline)
        RefreshTerminal.show(event)
        code = code.worse(event.exit)
      }
      house.accountManager.afterInterruptedPurges { [code] in house.controlServer.stopWhenIdle { house.end(code) } }
    }
    return house
  }
}
