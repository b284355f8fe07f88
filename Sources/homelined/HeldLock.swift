internal import Commands
internal import Files
internal import Platform

/// The lock on the state, held until the process ends.
final class HeldLock: Sendable {
  /// The file says already where the control socket will be, so that others need not wait to learn it.
  let owner: Owner
  private let lock: OwnerLock

  private init(_ lock: consuming OwnerLock, _ owner: Owner) {
    self.lock = lock
    self.owner = owner
  }

  enum Outcome: Sendable {
    case held(HeldLock)
    /// Nil when the lock's file does not say who.
    case taken(by: Owner?)
  }

  /// Asks for the lock without waiting for its holder.
  /// - Parameter command: what this process was started for, as its lock tells others.
  static func take(_ layout: FileLayout, for command: String) throws(CommandFailure) -> Outcome {
    let owner = Owner(
      processID: ProcessEnvironment.processID, controlSocket: layout.controlSocket, command: command)
    let outcome: OwnerLock.Outcome
    do throws(SystemError) { outcome = try OwnerLock.take(layout, as: owner) } catch {
      throw CommandFailure(.cannotCreate, "the state cannot be taken over: \(error)")
    }
    switch consume outcome {
    case .held(let lock): return .held(HeldLock(lock, owner))
    case .taken(let other): return .taken(by: other)
    }
  }

  /// Takes the lock for a command that does its own work only.
  /// - Throws: 75 with the name of the other owner, where there is one.
  static func takeAlone(_ layout: FileLayout, for command: String) throws(CommandFailure) -> HeldLock {
    switch try take(layout, for: command) {
    case .held(let lock): return lock
    case .taken(let other): throw busy(other)
    }
  }

  /// Takes the lock for the service. An owner that ends with its own command is waited for, however long that takes.
  /// - Parameter waiting: told whom it waits for, once for each.
  /// - Throws: 75 with the name of the other service, where there is one.
  static func takeForService(
    _ layout: FileLayout, waiting: (Owner) -> Void
  ) throws(CommandFailure) -> HeldLock {
    var told: Owner?
    while true {
      switch try take(layout, for: Owner.serviceCommand) {
      case .held(let lock): return lock
      case .taken(let other?) where other.isService:
        throw CommandFailure(.temporary, "\(other) looks after the accounts already; there can be one of it only")
      case .taken(let other):
        if let other, other != told {
          waiting(other)
          told = other
        }
        do throws(SystemError) { try OwnerLock.waitForRelease(layout) } catch {
          throw CommandFailure(.inputOutput, "the end of another homeline cannot be waited for: \(error)")
        }
      }
    }
  }

  static func busy(_ other: Owner?) -> CommandFailure {
    let name = other.map { "\($0)" } ?? "another homeline"
    return CommandFailure(.temporary, "\(name) works with the accounts just now; try again when it has ended")
  }

  /// Says in the lock's file that the control socket is elsewhere.
  func nameSocket(_ path: String) throws(SystemError) {
    try lock.name(Owner(processID: owner.processID, controlSocket: path, command: owner.command))
  }
}
