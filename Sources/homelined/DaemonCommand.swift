internal import Commands
internal import Glibc
internal import Platform
internal import Settings
internal import Store

/// `homeline daemon`: becomes the owner of the state and stays.
struct DaemonCommand {
  let invocation: Invocation
  let surroundings: Surroundings

  /// - Returns: the service, which goes on as long as it lives. A failure ends the process, and is said as the journal wants it.
  func start() -> DaemonRun {
    let log = Log.standardError(
      of: "homeline", threshold: invocation.isVerbose ? .debug : .info, environment: surroundings.variables)
    do throws(CommandFailure) { return try begin(log) } catch {
      log(.error, error.message)
      exit(error.code.rawValue)
    }
  }

  private func begin(_ log: Log) throws(CommandFailure) -> DaemonRun {
    OpenFileLimit.raise()
    let handed = try HandedSockets.receive(surroundings.variables, log: log)
    let manager = ServiceManager(environment: surroundings.variables)
    let file = try surroundings.configurationFile(invocation)
    let configuration = try file.load()
    let layout = FileLayout(try surroundings.folders())
    let lock = try HeldLock.takeForService(layout) { other in
      log(.notice, "\(other) works with the accounts just now; waiting for its end")
      // Its browser may keep it for minutes, which a service manager would take for a start that hangs.
      manager.ready(status: "waiting for the end of \(other)")
    }
    let run = DaemonRun(file: file, manager: manager, log: log)
    let house = try House(
      holding: lock,
      House.Plan(
        configuration: configuration, configurationPath: File.realPath(file.path), layout: layout, log: log,
        handed: handed),
      surroundings: surroundings, duties: { run.duties(lock.owner, $0) })
    run.start(house)
    return run
  }
}
