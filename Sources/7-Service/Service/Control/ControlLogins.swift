internal import Dispatch

/// The running logins.
// Sendable because its dictionary is accessed only on the control server's queue.
final class ControlLogins: @unchecked Sendable {
  private let queue: DispatchQueue
  private var logins: [String: ControlLogin] = [:]

  init(on queue: DispatchQueue) { self.queue = queue }

  subscript(id: String) -> ControlLogin? {
    get {
      dispatchPrecondition(condition: .onQueue(queue))
      return logins[id]
    }
    set {
      dispatchPrecondition(condition: .onQueue(queue))
      logins[id] = newValue
    }
  }

  /// Removes a login.
  /// - Returns: whether the login was running.
  func remove(_ id: String) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    return logins.removeValue(forKey: id) != nil
  }
}
