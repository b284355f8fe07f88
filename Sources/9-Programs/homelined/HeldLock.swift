internal import Commands
internal import Folders
internal import Platform

/// The lock on the state, held until the process exits.
final class HeldLock: Sendable {
  /// This process, as written to the lock file. The file contains the control socket's path even before the socket exists, so that other
  /// processes need not wait.
  let owner: Owner
  private let lock: OwnerLock

  private init(_ lock: consuming OwnerLock, _ owner: Owner) {
    self.lock = lock
    self.owner = owner
  }

  enum Outcome: Sendable {
    case held(HeldLock)
    /// Another process holds the lock; nil if the lock file does not identify it.
    case taken(by: Owner?)
  }

  /// Tries to acquire the lock without waiting.
  /// - Parameter command: This process's command, for the lock file.
  static func take(_ layout: FileLayout, for command: String) throws(CommandError) -> Outcome {
    let owner = Owner(
      processID: ProcessEnvironment.processID, controlSocket: layout.controlSocket, command: command)
    let outcome: OwnerLock.Outcome
    do throws(SystemError) { outcome = try OwnerLock.take(layout, as: owner) } catch {
      throw CommandError(.cannotCreate, "could not lock the state: \(error)")
    }
    switch consume outcome {
    case .held(let lock): return .held(HeldLock(lock, owner))
    case .taken(let other): return .taken(by: other)
    }
  }

  /// Acquires the lock for a command that serves no other commands.
  /// - Throws: 75 with the name of the other process, if one owns the state.
  static func takeAlone(_ layout: FileLayout, for command: String) throws(CommandError) -> HeldLock {
    switch try take(layout, for: command) {
    case .held(let lock): return lock
    case .taken(let other): throw busy(other)
    }
  }

  /// Acquires the lock for the service. If the owner is a process that exits with its own command, waits for it without a time limit.
  /// - Parameter waiting: Called once for each process that the service waits for.
  /// - Throws: 75 with the name of the other service, if there is one.
  static func takeForService(
    _ layout: FileLayout, waiting: (Owner) -> Void
  ) throws(CommandError) -> HeldLock {
    var announced: Owner?
    while true {
      switch try take(layout, for: Owner.serviceCommand) {
      case .held(let lock): return lock
      case .taken(let other?) where other.isService:
        throw CommandError(.temporary, "\(other) is already running; only one service can use the accounts")
      case .taken(let other):
        if let other, other != announced {
          waiting(other)
          announced = other
        }
        do throws(SystemError) { try OwnerLock.waitForRelease(layout) } catch {
          throw CommandError(.inputOutput, "could not wait for the other homeline to exit: \(error)")
        }
      }
    }
  }

  static func busy(_ other: Owner?) -> CommandError {
    let name = other.map { "\($0)" } ?? "another homeline"
    return CommandError(.temporary, "\(name) is using the accounts; try again when it has exited")
  }

  /// Writes a new path for the control socket into the lock file.
  func nameSocket(_ path: String) throws(SystemError) {
    try lock.name(Owner(processID: owner.processID, controlSocket: path, command: owner.command))
  }
}
