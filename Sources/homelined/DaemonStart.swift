internal import Commands
internal import Dispatch
internal import Files
internal import Glibc
internal import Platform
internal import Settings

/// `homeline daemon`: becomes the owner of the state and stays.
struct DaemonStart {
  let invocation: Invocation
  let environment: CommandEnvironment

  /// - Returns: the service, which goes on as long as it lives. A failure ends the process, and is said as the journal wants it.
  func start() -> DaemonRun {
    let log = Log.standardError(
      of: "homeline", threshold: invocation.isVerbose ? .debug : .info, environment: environment.variables)
    var handed = ActivationSockets.none
    do throws(CommandFailure) {
      handed = try ActivationSockets.receive(environment.variables, log: log)
      return try begin(handed, log)
    } catch { Self.end(error, handed, log) }
  }

  private func begin(_ handed: ActivationSockets, _ log: Log) throws(CommandFailure) -> DaemonRun {
    OpenFileLimit.raise()
    let file = try environment.configurationFile(invocation)
    let layout = FileLayout(try environment.folders())
    let run = DaemonRun(
      file: file, configuration: try file.load(), manager: ServiceManager(environment: environment.variables), log: log
    )
    run.start { takeOver(layout, run, handed, log) }
    return run
  }

  /// Waits for the state, and opens the house.
  private func takeOver(_ layout: FileLayout, _ run: DaemonRun, _ handed: ActivationSockets, _ log: Log) {
    do throws(SystemError) {
      // Signals and the watchdog do not wait meanwhile.
      try DetachedThread.start {
        let lock = Result { () throws(CommandFailure) in
          try HeldLock.takeForService(layout) { other in DispatchQueue.main.async { run.wait(for: other) } }
        }
        DispatchQueue.main.async {
          do throws(CommandFailure) { try open(try lock.get(), layout, run, handed, log) } catch {
            Self.end(error, handed, log)
          }
        }
      }
    } catch { Self.end(CommandFailure(.software, "\(error)"), handed, log) }
  }

  private func open(
    _ lock: HeldLock, _ layout: FileLayout, _ run: DaemonRun, _ handed: ActivationSockets, _ log: Log
  ) throws(CommandFailure) {
    let context = try DaemonContext(
      holding: lock,
      DaemonContext.Plan(
        configuration: run.configuration, configurationPath: File.realPath(run.file.path), layout: layout, log: log,
        handed: handed),
      environment: environment, delegate: { run.delegate(lock.owner, $0) })
    run.open(context)
  }

  private static func end(_ failure: CommandFailure, _ handed: ActivationSockets, _ log: Log) -> Never {
    log(.error, failure.message)
    handed.turnAway()
    failure.code.endProcess()
  }
}
