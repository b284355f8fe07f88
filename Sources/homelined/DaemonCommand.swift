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
    do throws(CommandFailure) { return try begin(log) } catch { Self.end(error, log) }
  }

  private func begin(_ log: Log) throws(CommandFailure) -> DaemonRun {
    OpenFileLimit.raise()
    let handed = try HandedSockets.receive(surroundings.variables, log: log)
    let file = try surroundings.configurationFile(invocation)
    let layout = FileLayout(try surroundings.folders())
    let run = DaemonRun(
      file: file, configuration: try file.load(), manager: ServiceManager(environment: surroundings.variables), log: log
    )
    run.start()
    do throws(SystemError) {
      // The lock may be waited for, and signals and the watchdog meanwhile do not wait.
      try DetachedThread.start { [surroundings] in
        let lock = Result { () throws(CommandFailure) in
          try HeldLock.takeForService(layout) { other in DispatchQueue.main.async { run.wait(for: other) } }
        }
        DispatchQueue.main.async {
          do throws(CommandFailure) {
            let lock = try lock.get()
            let house = try House(
              holding: lock,
              House.Plan(
                configuration: run.configuration, configurationPath: File.realPath(file.path), layout: layout, log: log,
                handed: handed),
              surroundings: surroundings, duties: { run.duties(lock.owner, $0) })
            run.open(house)
          } catch { Self.end(error, log) }
        }
      }
    } catch { throw CommandFailure(.software, "\(error)") }
    return run
  }

  private static func end(_ failure: CommandFailure, _ log: Log) -> Never {
    log(.error, failure.message)
    exit(failure.code.rawValue)
  }
}
