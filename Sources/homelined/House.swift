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
      warn: { Terminal.say("homeline: \($0)") },
      trace: { if isVerbose { Terminal.say("homeline: \($0)") } })
  }

  private static func takeLock(_ layout: FileLayout, _ command: CommandName) throws(CommandFailure) -> HeldLock {
    let owner = Owner(processID: ProcessEnvironment.processID, controlSocket: nil, command: command.rawValue)
    do throws(SystemError) {
      switch try OwnerLock.take(layout, as: owner) {
      case .held(let lock): return HeldLock(lock)
      case .taken(let other):
        throw SystemError(call: "flock", code: 0, subject: other.map { "\($0)" } ?? "another homeline")
      }
    } catch {
      guard error.call == "flock", error.code == 0 else {
        throw CommandFailure(.cannotCreate, "the state cannot be taken over: \(error)")
      }
      throw CommandFailure(
        .temporary,
        "\(error.subject ?? "another homeline") works with the accounts just now; try again when it has ended")
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

extension CommandFailure {
  init(_ failure: Failure, account: AccountName? = nil) {
    let code: ExitCode =
      switch failure.kind {
      case .badContent: .badData
      case .unavailable: .unavailable
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .tryAgain: .temporary
      case .notAuthorised: .notAuthorised
      case .configuration: .configuration
      case .bug: .software
      }
    self.init(code, (account.map { "\($0): " } ?? "") + failure.message)
  }
}
