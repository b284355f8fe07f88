internal import Commands
internal import Control
internal import Dispatch
internal import Files
internal import Glibc
internal import Platform
internal import Service
internal import Settings

/// The service under way: refreshes what is due, does what it is asked, and obeys signals, until one of them ends it.
// Sendable because everything that changes in it is touched on the main queue only.
final class DaemonRun: @unchecked Sendable {
  let file: ConfigurationFile
  /// What was wrong with the configuration when it was read last; nil when nothing was.
  let configurationProblem = Locked<String?>(nil)
  /// What the user has set, as it was without mistakes when it was read last.
  private(set) var configuration: Configuration
  private let manager: ServiceManager
  private let log: Log
  /// Nil until the state is ours.
  private var context: DaemonContext?
  private var controlSocketWatch: ControlSocketWatch?
  /// Who has the state until then, if that takes a while.
  private var predecessor: Owner?
  private var signals: [DispatchSource] = []
  private var watchdog: Alarm?
  private var lastResort: Alarm?
  private var rest: MemoryTrim?
  private var statusFile: StatusFile?
  private var status = ""
  private let tellsSoon = Locked(false)

  init(file: ConfigurationFile, configuration: Configuration, manager: ServiceManager, log: Log) {
    self.file = file
    self.configuration = configuration
    self.manager = manager
    self.log = log
  }

  /// Obeys signals and the service manager from now on. To be called on the main queue, before it runs.
  /// - Parameter ready: called on the main queue once it does: who is told that the service is up may send a signal at once.
  func start(ready: @escaping @Sendable () -> Void) {
    let all = DispatchGroup()
    signals = [
      obey(SIGHUP, all) { self.reload() },
      obey(SIGTERM, all) { self.stop() },
      obey(SIGINT, all) { self.stop() },
    ]
    feedWatchdog()
    all.notify(queue: .main, execute: ready)
  }

  private func obey(
    _ number: Int32, _ all: DispatchGroup, _ body: @escaping @Sendable () -> Void
  ) -> DispatchSource {
    all.enter()
    let source = DispatchSource.signal(number, on: .main, registered: { all.leave() }, body)
    source.activate()
    return source
  }

  /// Another owner ends with its own command. Its browser may keep it for minutes, which a service manager would take for a start
  /// that hangs, so the service counts as started.
  func wait(for other: Owner) {
    predecessor = other
    log(.notice, summary)
    tellReady()
  }

  /// The state is ours: the work begins.
  func open(_ context: DaemonContext) {
    self.context = context
    controlSocketWatch = ControlSocketWatch(context, log: log)
    controlSocketWatch?.start()
    // Without it only memory is lost.
    rest = try? MemoryTrim()
    statusFile = context.statusFile.map { path in
      StatusFile(path, log: log) { [unowned self, unowned context] in
        context.delegate.status(of: configuration.accounts).json
      }
    }
    context.accountManager.scheduler.onChange { [weak self] in self?.tellSoon() }
    context.accountManager.startSchedule {
      DispatchQueue.main.async {
        guard self.lastResort == nil else { return }
        self.tellReady()
        self.statusFile?.write()
        self.rest?.noteChange()
        self.log(.notice, "homeline \(Version.number) is up: \(self.status)")
      }
    }
  }

  // MARK: Signals

  /// Reads the configuration again. A file with mistakes changes nothing.
  @discardableResult
  func reload() -> Result<Void, CommandFailure> {
    manager.reloading(status: "reading \(file.path) again")
    let outcome: Result<Void, CommandFailure>
    do throws(CommandFailure) {
      configuration = try file.load()
      context?.accountManager.adopt(configuration)
      configurationProblem.withLock { $0 = nil }
      log(.notice, "\(file.path) was read again")
      outcome = .success(())
    } catch {
      configurationProblem.withLock { $0 = error.message }
      log(.error, "everything stays as it was: \(error.message)")
      outcome = .failure(error)
    }
    tellReady()
    return outcome
  }

  private func stop() {
    guard lastResort == nil else { return }
    manager.stopping(status: "ending")
    log(.notice, "ending")
    guard let context else { ExitCode.done.endProcess() }
    // What is on the disk is whole at every moment, so nothing is lost by it.
    lastResort = try? Alarm(on: DispatchQueue(label: "homeline.last-resort")) { [log] in
      log(.error, "something did not end in time and is left behind")
      ExitCode.done.endProcess()
    }
    lastResort?.set(.now + .milliseconds(1900))
    controlSocketWatch?.stop()
    statusFile?.remove()
    statusFile = nil
    context.close { ExitCode.done.endProcess() }
  }

  // MARK: What the service manager is told

  private var summary: String {
    guard let context else { return predecessor.map { "waiting for the end of \($0)" } ?? "starting" }
    if configurationProblem.withLock({ $0 != nil }) { return "the configuration has mistakes; the one before holds" }
    return ServiceSummary.line(configuration, context.accountManager.scheduler.standing)
  }

  private func tellReady() {
    status = summary
    manager.ready(status: status)
  }

  /// Tells a new status, if it is one; many changes at once are told as one.
  private func tellSoon() {
    guard tellsSoon.setOnce() else { return }
    DispatchQueue.main.async {
      self.tellsSoon.withLock { $0 = false }
      self.rest?.noteChange()
      self.statusFile?.noteChange()
      let status = self.summary
      guard status != self.status, self.lastResort == nil else { return }
      self.status = status
      self.manager.status(status)
    }
  }

  /// Gives a sign of life as often as the service manager wants one, and only if the schedule's queue still moves.
  private func feedWatchdog() {
    guard let interval = manager.watchdogInterval else { return }
    do throws(SystemError) {
      let alarm = try Alarm(on: .main) { [weak self] in
        guard let self else { return }
        self.watchdog?.set(.now + interval)
        if let context = self.context {
          context.accountManager.scheduler.probe { self.manager.watchdog() }
        } else {
          self.manager.watchdog()
        }
      }
      alarm.set(.now + interval)
      watchdog = alarm
    } catch { log(.error, "the service manager's watchdog cannot be fed: \(error)") }
  }
}
