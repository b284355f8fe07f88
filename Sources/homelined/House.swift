internal import Commands
internal import Dispatch
internal import Glibc
internal import Platform
internal import Service
internal import Settings
internal import Store

/// What a command works with: the configuration, the keeper of the accounts, and the lock that makes them ours.
final class House: Sendable {
  let configuration: Configuration
  let layout: FileLayout
  let keeper: Keeper
  let surroundings: Surroundings
  /// Held until the process ends.
  private let lock: HeldLock

  private final class HeldLock: Sendable {
    private let lock: OwnerLock
    init(_ lock: consuming OwnerLock) { self.lock = lock }
  }

  /// - Throws: 75 with the name of the other owner, where there is one.
  init(
    _ configuration: Configuration, layout: FileLayout, command: CommandName, surroundings: Surroundings,
    isVerbose: Bool
  ) throws(CommandFailure) {
    self.configuration = configuration
    self.layout = layout
    self.surroundings = surroundings
    lock = try House.takeLock(layout, command)
    keeper = Keeper(
      configuration: configuration, layout: layout, folders: try surroundings.folders(),
      environment: surroundings.variables, userAgent: "homeline/\(Version.number)",
      log: Log { level, line in if isVerbose || level < .info { Terminal.say("homeline: \(line)") } })
  }

  private static func takeLock(_ layout: FileLayout, _ command: CommandName) throws(CommandFailure) -> HeldLock {
    let owner = Owner(processID: ProcessEnvironment.processID, controlSocket: nil, command: command.rawValue)
    let outcome: OwnerLock.Outcome
    do throws(SystemError) { outcome = try OwnerLock.take(layout, as: owner) } catch {
      throw CommandFailure(.cannotCreate, "the state cannot be taken over: \(error)")
    }
    switch consume outcome {
    case .held(let lock): return HeldLock(lock)
    case .taken(let other):
      let name = other.map { "\($0)" } ?? "another homeline"
      throw CommandFailure(.temporary, "\(name) works with the accounts just now; try again when it has ended")
    }
  }

  /// Closes what is open and ends the process; from any queue. A database that is closed needs no check at its next opening.
  func end(_ code: ExitCode) {
    DispatchQueue.main.async { [keeper] in
      keeper.close()
      exit(code.rawValue)
    }
  }

  /// Has Ctrl-C and its like end the process by a login's leave.
  /// - Returns: what has to live as long as this shall hold.
  func endBySignal(abandoning session: LoginSession) -> [DispatchSource] {
    Ending.bySignal { [keeper] done in
      session.abandon {
        DispatchQueue.main.async {
          keeper.close()
          done()
        }
      }
    }
  }

  /// The account that a command means; without a name the only enabled one.
  func account(_ name: AccountName?) throws(CommandFailure) -> AccountSettings {
    do throws(AccountChoiceError) { return try configuration.account(named: name?.text) } catch {
      throw CommandFailure(.usage, "\(error)")
    }
  }
}
