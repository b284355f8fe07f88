internal import Accounts
internal import CivilTime
internal import Commands
internal import Control
internal import Dispatch
internal import Files
internal import Glibc
internal import Platform
internal import Service
internal import Settings
internal import StorageSQLite

/// The owner of the state: its lock, the keeper of the accounts, and the server for the requests of other processes.
final class DaemonContext: Sendable {
  let layout: FileLayout
  let accountManager: AccountManager
  let controlServer: ControlServer
  /// What the control server asks the owner.
  let delegate: ControlDelegate
  /// The path of the server's first socket.
  let controlSocket: String
  let environment: CommandEnvironment
  let log: Log
  /// Held until the process ends.
  private let lock: HeldLock
  /// Made for control sockets alone; to be removed after them.
  private let temporaryFolders: Locked<[String]>

  /// How the keeper and the control server of an owner differ from those of another one.
  struct Plan {
    var configuration: Configuration
    /// The file that it was read from.
    var configurationPath: String
    var layout: FileLayout
    var log: Log
    /// Sockets that a service manager has handed over, to be commanded at and to come back to.
    var handed = ActivationSockets.none
    /// How long files wait for further refreshes that are not written by each.
    var gathering = Duration.seconds(60)
  }

  /// Opens the house and listens for requests.
  /// - Parameter delegate: makes the control server's delegate for the keeper; nil for an owner that ends with its own command.
  init(
    holding lock: HeldLock, _ plan: Plan, environment: CommandEnvironment,
    delegate: ((AccountManager) -> ControlDelegate)? = nil
  ) throws(CommandFailure) {
    self.lock = lock
    self.environment = environment
    layout = plan.layout
    log = plan.log
    let log = plan.log
    accountManager = AccountManager(
      configuration: plan.configuration, layout: plan.layout, storage: FileStorage(plan.layout),
      folders: try environment.folders(), environment: environment.variables,
      userAgent: "homeline/\(Version.number)", gathering: plan.gathering, log: log)
    self.delegate = delegate?(accountManager) ?? DaemonContext.passing(lock.owner, plan.configurationPath)
    controlServer = ControlServer(accountManager: accountManager, self.delegate, log: log)
    let handed = try plan.handed.controlSocket()
    let socket = if let handed { handed } else { try ControlSocket.listen(plan.layout) { log(.warning, $0) } }
    controlSocket = socket.path
    if socket.path == plan.layout.controlSocket, let left = plan.layout.statusFile { StatusFile.remove(left) }
    temporaryFolders = Locked(socket.temporaryFolder.map { [$0] } ?? [])
    do throws(SystemError) {
      if socket.path != lock.owner.controlSocket { try lock.nameSocket(socket.path) }
    } catch { throw CommandFailure(.inputOutput, "\(plan.layout.lock): \(error)") }
    do throws(Failure) {
      if let diagnosis = plan.handed.diagnosis { accountManager.adoptDiagnosis(diagnosis) }
      if let callback = plan.handed.callback { try accountManager.adoptCallback(callback) }
      try controlServer.serve(socket.sockets)
    } catch { throw CommandFailure(error) }
  }

  /// Where a service says how its accounts are; nil where the runtime folder is missing, or another homeline's.
  var statusFile: String? { controlSocket == layout.controlSocket ? layout.statusFile : nil }

  /// Takes commands at this socket instead of the former one, whose file is gone.
  func listen(at socket: consuming ControlSocket) throws(CommandFailure) {
    let path = socket.path
    if let folder = socket.temporaryFolder { temporaryFolders.withLock { $0.append(folder) } }
    do throws(Failure) { try controlServer.move(to: socket.sockets) } catch { throw CommandFailure(error) }
    do throws(SystemError) { try lock.nameSocket(path) } catch {
      throw CommandFailure(.inputOutput, "\(layout.lock): \(error)")
    }
  }

  /// The log of a command: warnings on standard error, and everything with `-v`.
  static func commandLog(isVerbose: Bool) -> Log {
    Log { level, line in if isVerbose || level < .info { Terminal.say("homeline: \(line)") } }
  }

  /// An owner that ends with its own command plans nothing, and its configuration stays as it was read.
  private static func passing(_ owner: Owner, _ configurationPath: String) -> ControlDelegate {
    let startedAt = WallClock.system.now
    return ControlDelegate(
      owner: {
        ControlStatus.Owner(
          processID: owner.processID, command: owner.command, version: Version.number, startedAt: startedAt,
          configuration: configurationPath, configurationProblem: nil)
      },
      standing: { accounts in
        accounts.map {
          ControlStatus.Account(
            account: $0.name.text, activity: .idle, nextRefreshAt: nil,
            waitsFor: "homeline \(owner.command) plans no refreshes; it ends when it is done")
        }
      })
  }

  /// Closes what is open and ends the process; from any queue. A database that is closed needs no check at its next opening.
  func end(_ code: ExitCode) { close { code.endProcess() } }

  /// Takes no more commands, ends what is under way, and closes what is open.
  /// - Parameter closed: called once, on the main queue.
  func close(_ closed: @escaping @Sendable () -> Void) {
    let both = DispatchGroup()
    both.enter()
    // Clients get their responses while the keeper ends what is under way.
    controlServer.stop(grace: Self.grace + .milliseconds(400)) { both.leave() }
    both.enter()
    accountManager.shutDown(grace: Self.grace) { both.leave() }
    both.notify(queue: .main) { [temporaryFolders] in
      for folder in temporaryFolders.withLock({ $0 }) { try? Folder.remove(folder) }
      closed()
    }
  }

  /// How long a token that a provider is giving just now is waited for.
  private static let grace = Duration.milliseconds(1300)
}

/// A failure of the service, reported by a command.
extension CommandFailure {
  init(_ failure: Failure, account: AccountName? = nil) {
    self.init(failure.exitCode, (account.map { "\($0): " } ?? "") + failure.message)
  }
}
