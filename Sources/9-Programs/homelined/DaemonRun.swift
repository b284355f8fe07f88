internal import Commands
internal import ControlProtocol
internal import Dispatch
internal import Folders
internal import Glibc
internal import LocalCommands
internal import Platform
internal import Service
internal import Settings
internal import StorageSQLite
internal import Web

/// The running service: refreshes due accounts, serves requests, and handles signals until one of them ends it.
// Sendable because all mutable state is accessed only on the main queue.
final class DaemonRun: @unchecked Sendable {
  let file: ConfigurationFiles
  /// The reason the last reload failed; nil if it succeeded.
  let configurationProblem = Locked<String?>(nil)
  /// The web page; nil until this process owns the state.
  let web = Locked<WebListener?>(nil)
  /// The last configuration read without errors.
  private(set) var configuration: Configuration
  private let manager: ServiceManager
  private let log: Log
  /// The context; nil until this process owns the state.
  private var context: DaemonContext?
  private var controlSocketWatch: ControlSocketWatch?
  /// The process whose exit this one is waiting for.
  private var predecessor: Owner?
  private var signals: [DispatchSource] = []
  private var watchdog: Alarm?
  private var lastResort: Alarm?
  private var rest: MemoryTrim?
  /// The connections that pages read archives with, and the time when they are closed.
  let pageReaders = IdleReaders()
  private var endOfReading: Alarm?
  private var statusFile: StatusFile?
  private var status = ""
  private let willReport = Locked(false)

  init(file: ConfigurationFiles, configuration: Configuration, manager: ServiceManager, log: Log) {
    self.file = file
    self.configuration = configuration
    self.manager = manager
    self.log = log
  }

  /// Starts handling signals and feeding the watchdog. Call this on the main queue, before the queue runs.
  /// - Parameter ready: Called on the main queue once signals are handled, because a program that waits for the service may send one
  ///   immediately.
  func start(ready: @escaping @Sendable () -> Void) {
    let all = DispatchGroup()
    signals = [
      obey(SIGHUP, all) { self.reload { _ in } },
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

  /// Reports that another process owns the state and must exit first. Also reports that the service is ready: a login in the other process
  /// can take minutes, and the service manager would consider the start failed.
  func wait(for other: Owner) {
    predecessor = other
    log(.notice, summary)
    reportReady()
  }

  /// Starts the service's work, once this process owns the state.
  func open(_ context: DaemonContext) {
    self.context = context
    controlSocketWatch = ControlSocketWatch(context, log: log)
    controlSocketWatch?.start()
    // If this fails, the process only uses more memory.
    rest = try? MemoryTrim()
    statusFile = context.statusFile.map { path in
      StatusFile(path, log: log) { [unowned self, unowned context] in
        context.delegate.status(of: configuration.accounts).json
      }
    }
    openWebPage(context, log: log)
    context.accountManager.scheduler.onChange { [weak self] in self?.reportSoon() }
    context.accountManager.startSchedule {
      DispatchQueue.main.async {
        guard self.lastResort == nil else { return }
        self.reportReady()
        self.statusFile?.write()
        self.rest?.giveBack()
        self.log(.notice, "homeline \(Version.number) is up: \(self.status)")
      }
    }
  }

  /// The time after the last page that connections to archives stay open.
  private static let pagePause: Duration = .seconds(30)

  /// Frees what the web page needed, a while after its last page.
  func pagesRested() {
    rest?.noteChange()
    // A service without the page needs no descriptor for it.
    if endOfReading == nil {
      endOfReading = try? Alarm(on: .main) { [weak self] in
        self?.pageReaders.closeAll()
        self?.rest?.noteChange()
      }
    }
    endOfReading?.set(.now + Self.pagePause)
  }

  // MARK: Signals

  /// Reloads the configuration. If it has errors, the previous one stays in use.
  /// - Parameter done: called on the main queue once new views are published, so that they can be shown immediately.
  func reload(then done: @escaping @Sendable (Result<Void, CommandError>) -> Void) {
    manager.reloading(status: "reloading \(file.path)")
    let end = { @Sendable (result: Result<Void, CommandError>) in
      switch result {
      case .success: self.log(.notice, "reloaded \(self.file.path)")
      case .failure(let error):
        self.log(.error, "configuration not reloaded; keeping the previous one: \(error.message)")
      }
      if self.lastResort == nil { self.reportReady() }
      done(result)
    }
    do throws(CommandError) {
      configuration = try file.load()
      configurationProblem.withLock { $0 = nil }
      guard let context else { return end(.success(())) }
      let all = DispatchGroup()
      all.enter()
      context.accountManager.adopt(configuration) { all.leave() }
      if let web = web.withLock({ $0 }) {
        all.enter()
        web.adopt(configuration.web) { all.leave() }
      }
      all.notify(queue: .main) { end(.success(())) }
    } catch {
      configurationProblem.withLock { $0 = error.message }
      end(.failure(error))
    }
  }

  private func stop() {
    guard lastResort == nil else { return }
    manager.stopping(status: "ending")
    log(.notice, "ending")
    guard let context else { ExitCode.done.endProcess() }
    // Files on disk are always complete, so nothing is lost.
    lastResort = try? Alarm(on: DispatchQueue(label: "homeline.last-resort")) { [log] in
      log(.error, "running work did not finish in time; exiting anyway")
      ExitCode.done.endProcess()
    }
    lastResort?.set(.now + .milliseconds(1900))
    controlSocketWatch?.stop()
    statusFile?.remove()
    statusFile = nil
    pageReaders.end()
    let all = DispatchGroup()
    all.enter()
    context.close { all.leave() }
    if let web = web.withLock({ $0 }) {
      all.enter()
      web.stop(grace: .seconds(1)) { all.leave() }
    }
    all.notify(queue: .main) { ExitCode.done.endProcess() }
  }

  // MARK: Service manager status

  private var summary: String {
    guard let context else { return predecessor.map { "waiting for \($0) to exit" } ?? "starting" }
    if configurationProblem.withLock({ $0 != nil }) { return "the configuration has errors; using the previous one" }
    return ServiceSummary.line(configuration, context.accountManager.scheduler.snapshots)
  }

  private func reportReady() {
    status = summary
    manager.ready(status: status)
  }

  /// Reports the status to the service manager if it has changed. Many changes at a time cause a single report.
  private func reportSoon() {
    guard willReport.setOnce() else { return }
    DispatchQueue.main.async {
      self.willReport.withLock { $0 = false }
      self.rest?.noteChange()
      self.statusFile?.noteChange()
      let status = self.summary
      guard status != self.status, self.lastResort == nil else { return }
      self.status = status
      self.manager.status(status)
    }
  }

  /// Feeds the watchdog at the requested interval as long as the scheduler's queue responds.
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
    } catch { log(.error, "could not notify the service manager's watchdog: \(error)") }
  }
}

/// Returns free memory to the kernel after the start, one second after the last change, and at least every five seconds while changes
/// continue. Otherwise, with many accounts, the heap would fragment and grow.
// Sendable because all mutable state is accessed only on the main queue.
final class MemoryTrim: @unchecked Sendable {
  private static let quiet: Duration = .seconds(1)
  private static let longest: Duration = .seconds(5)

  private var alarm: Alarm?
  private var last = BootInstant.now

  init() throws(SystemError) {
    alarm = try Alarm(on: .main) { [weak self] in self?.giveBack() }
  }

  func giveBack() {
    last = .now
    IdleMemory.giveBack()
  }

  func noteChange() { alarm?.set(min(.now + Self.quiet, last + Self.longest)) }
}
