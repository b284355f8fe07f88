internal import Commands
internal import Dispatch
internal import Folders
internal import Glibc
internal import Platform
internal import Settings

/// `homeline daemon`: becomes the state owner and runs the service.
struct DaemonStart {
  let invocation: Invocation
  let environment: CommandEnvironment

  /// Starts the service. If that fails, logs the failure in the journal's format and exits the process.
  /// - Returns: The service, which runs as long as this object is kept.
  func start() -> DaemonRun {
    let log = Log.standardError(
      of: "homeline", threshold: invocation.isVerbose ? .debug : .info, environment: environment.variables)
    var handed = ActivationSockets.none
    do throws(CommandError) {
      handed = try ActivationSockets.receive(environment.variables, log: log)
      return try begin(handed, log)
    } catch { Self.end(error, handed, log) }
  }

  private func begin(_ handed: ActivationSockets, _ log: Log) throws(CommandError) -> DaemonRun {
    OpenFileLimit.raise()
    let file = try environment.configurationFiles(invocation)
    let layout = FileLayout(try environment.folders())
    let run = DaemonRun(
      file: file, configuration: try file.load(), manager: ServiceManager(environment: environment.variables), log: log
    )
    run.start { takeOver(layout, run, handed, log) }
    return run
  }

  /// Waits until no other process owns the state, and makes this process the owner.
  private func takeOver(_ layout: FileLayout, _ run: DaemonRun, _ handed: ActivationSockets, _ log: Log) {
    do throws(SystemError) {
      // Wait on a separate thread, so that signals and the watchdog keep working.
      try DetachedThread.start {
        let lock = Result { () throws(CommandError) in
          try HeldLock.takeForService(layout) { other in DispatchQueue.main.async { run.wait(for: other) } }
        }
        DispatchQueue.main.async {
          do throws(CommandError) { try open(try lock.get(), layout, run, handed, log) } catch {
            Self.end(error, handed, log)
          }
        }
      }
    } catch { Self.end(CommandError(.software, "\(error)"), handed, log) }
  }

  private func open(
    _ lock: HeldLock, _ layout: FileLayout, _ run: DaemonRun, _ handed: ActivationSockets, _ log: Log
  ) throws(CommandError) {
    let context = try DaemonContext(
      holding: lock,
      DaemonContext.Plan(
        configuration: run.configuration, configurationPath: run.file.identity, layout: layout, log: log,
        handed: handed),
      environment: environment, delegate: { run.delegate(lock.owner, $0) })
    run.open(context)
  }

  private static func end(_ failure: CommandError, _ handed: ActivationSockets, _ log: Log) -> Never {
    log(.error, failure.message)
    handed.refusePendingConnections()
    failure.exitCode.endProcess()
  }
}
