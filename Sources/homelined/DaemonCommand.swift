internal import Commands
internal import Dispatch
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
    do throws(CommandFailure) { return try begin(log) } catch { end(error, log) }
  }

  private func begin(_ log: Log) throws(CommandFailure) -> DaemonRun {
    let handed = try HandedSockets.receive(surroundings.variables, log: log)
    let manager = ServiceManager(environment: surroundings.variables)
    let file = try surroundings.configurationFile(invocation)
    // Mistakes are told at once, whatever has to be waited for.
    _ = try file.load()
    let layout = FileLayout(try surroundings.folders())
    let run = DaemonRun(file: file, manager: manager, log: log)
    run.takeSignals()
    // Another owner may keep the state for minutes, and signals are obeyed meanwhile.
    do throws(SystemError) {
      try DetachedThread.start {
        do throws(CommandFailure) {
          let lock = try HeldLock.takeForService(layout) { other in
            log(.notice, "\(other) works with the accounts just now; waiting for its end")
            // A service manager would take the wait for a start that hangs.
            manager.ready(status: "waiting for the end of \(other)")
          }
          DispatchQueue.main.async {
            do throws(CommandFailure) { try open(lock, layout, handed, run, log) } catch { end(error, log) }
          }
        } catch { end(error, log) }
      }
    } catch { throw CommandFailure(.software, "\(error)") }
    return run
  }

  private func open(
    _ lock: HeldLock, _ layout: FileLayout, _ handed: HandedSockets, _ run: DaemonRun, _ log: Log
  ) throws(CommandFailure) {
    let house = try House(
      holding: lock,
      House.Plan(
        configuration: try run.file.load(), configurationPath: File.realPath(run.file.path), layout: layout, log: log,
        handed: handed),
      surroundings: surroundings, duties: { run.duties(lock.owner, $0) })
    run.start(house)
  }

  private func end(_ failure: CommandFailure, _ log: Log) -> Never {
    log(.error, failure.message)
    exit(failure.code.rawValue)
  }
}
