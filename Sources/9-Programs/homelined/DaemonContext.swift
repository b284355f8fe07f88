internal import Accounts
internal import Commands
internal import ControlProtocol
internal import Dispatch
internal import Folders
internal import Formats
internal import Glibc
internal import Keyring
internal import Platform
internal import Service
internal import Settings
internal import StorageFiles
internal import StorageSQLite
internal import Time

/// The state owner: the lock, the account manager, and the server for other processes' requests.
final class DaemonContext: Sendable {
  let layout: FileLayout
  let storage: FileStorage
  let accountManager: AccountManager
  let controlServer: ControlServer
  /// Answers the control server's queries about this process.
  let delegate: ControlDelegate
  /// The path of the server's first socket.
  let controlSocket: String
  let environment: CommandEnvironment
  /// The socket for asking the kernel for a connection's user, if the service manager passed one.
  let diagnosis: SocketDiagnosis?
  /// The lock, held until the process exits.
  private let lock: HeldLock
  /// Folders created only for control sockets and removed with them.
  private let temporaryFolders: Locked<[String]>

  /// The parameters of a state owner.
  struct Plan {
    var configuration: Configuration
    /// The identity of the configuration.
    var configurationPath: String
    var layout: FileLayout
    var log: Log
    /// The sockets that the service manager passed.
    var handed = ActivationSockets.none
    /// How long new posts are gathered before formats other than JSON, JSONL and `bar.json` are written.
    var gathering = PublishedForm.gathering
  }

  /// Makes this process the state owner: starts the account manager and listens for requests.
  /// - Parameter delegate: Creates the delegate of the control server; nil for a process that exits with its own command.
  /// - Throws: 73, 74 or 78 if a socket or a file cannot be opened.
  init(
    holding lock: HeldLock, _ plan: Plan, environment: CommandEnvironment,
    delegate: ((AccountManager) -> ControlDelegate)? = nil
  ) throws(CommandError) {
    self.lock = lock
    self.environment = environment
    diagnosis = plan.handed.diagnosis
    layout = plan.layout
    let log = plan.log
    storage = FileStorage(plan.layout, vault: Self.vault(plan, lock.owner, environment))
    accountManager = AccountManager(
      configuration: plan.configuration, layout: plan.layout,
      storage: storage,
      folders: try environment.folders(), environment: environment.variables,
      userAgent: Version.userAgent, gathering: plan.gathering, log: log)
    self.delegate = delegate?(accountManager) ?? DaemonContext.commandDelegate(lock.owner, plan.configurationPath)
    controlServer = ControlServer(accountManager: accountManager, self.delegate, log: log)
    let handed = try plan.handed.controlSocket()
    let socket = if let handed { handed } else { try ControlSocket.listen(plan.layout) { log(.warning, $0) } }
    controlSocket = socket.path
    if socket.path == plan.layout.controlSocket, let left = plan.layout.statusFile { StatusFile.remove(left) }
    temporaryFolders = Locked(socket.temporaryFolder.map { [$0] } ?? [])
    do throws(SystemError) {
      if socket.path != lock.owner.controlSocket { try lock.nameSocket(socket.path) }
    } catch { throw CommandError(error, about: plan.layout.lock) }
    do throws(OperationError) {
      if let diagnosis = plan.handed.diagnosis { accountManager.adoptDiagnosis(diagnosis) }
      if let callback = plan.handed.callback { try accountManager.adoptCallback(callback) }
      try controlServer.serve(socket.sockets)
    } catch { throw CommandError(error) }
  }

  /// The path of the service's status file; nil if the runtime folder is missing or belongs to a homeline instance with a different
  /// state.
  var statusFile: String? { controlSocket == layout.controlSocket ? layout.statusFile : nil }

  /// Receives requests on this socket in place of the previous one, whose file was removed.
  func listen(at socket: consuming ControlSocket) throws(CommandError) {
    let path = socket.path
    if let folder = socket.temporaryFolder { temporaryFolders.withLock { $0.append(folder) } }
    do throws(OperationError) { try controlServer.move(to: socket.sockets) } catch { throw CommandError(error) }
    do throws(SystemError) { try lock.nameSocket(path) } catch {
      throw CommandError(error, about: layout.lock)
    }
  }

  /// Returns the keys of encrypted tokens. Only a user's command starts the keyring if it is not running, because a keyring that starts
  /// before the user has logged in stays locked.
  private static func vault(_ plan: Plan, _ owner: Owner, _ environment: CommandEnvironment) -> TokenVault {
    TokenVault(
      TokenKeyring(
        session: environment.variables, stateFolder: plan.layout.stateFolder, startsProvider: !owner.isService),
      protection: plan.configuration.protection)
  }

  /// Returns the log of a command: warnings on standard error, or all messages with `-v`.
  static func commandLog(isVerbose: Bool) -> Log {
    Log { level, line in if isVerbose || level < .info { Terminal.say("homeline: \(line)") } }
  }

  /// Returns the delegate of a process that exits with its own command: it schedules no refreshes and does not reload the configuration.
  private static func commandDelegate(_ owner: Owner, _ configurationPath: String) -> ControlDelegate {
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
            waitsFor: "homeline \(owner.command) does not schedule refreshes; it exits when its command is done")
        }
      })
  }

  /// Closes everything and exits the process. Can be called on any queue. Databases closed properly need no check when they are opened
  /// again.
  func end(_ code: ExitCode) { close { code.endProcess() } }

  /// Stops accepting requests, ends running jobs, and closes everything.
  /// - Parameter closed: Called once, on the main queue.
  func close(_ closed: @escaping @Sendable () -> Void) {
    let both = DispatchGroup()
    both.enter()
    // Clients still get their responses while the account manager ends running jobs.
    controlServer.stop(grace: Self.grace + .milliseconds(400)) { both.leave() }
    both.enter()
    accountManager.shutDown(grace: Self.grace) { both.leave() }
    both.notify(queue: .main) { [temporaryFolders] in
      for folder in temporaryFolders.withLock({ $0 }) { try? Folder.remove(folder) }
      closed()
    }
  }

  /// How long a running token exchange may take to complete.
  private static let grace = Duration.milliseconds(1300)
}
