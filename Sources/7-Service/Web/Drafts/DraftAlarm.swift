package import Dispatch
package import Platform

/// Calls back when the day of the oldest draft is over. It exists only while it is set, so that a service without drafts is not woken.
package final class DraftAlarm: Sendable {
  /// Makes an alarm that calls back on a queue, and returns the function that sets its time.
  package typealias Make =
    @Sendable (DispatchQueue, @escaping @Sendable () -> Void) throws(SystemError) -> @Sendable (BootInstant) -> Void

  package static let system: Make = { (queue, body) throws(SystemError) in
    let alarm = try Alarm(on: queue, body)
    return { alarm.set($0) }
  }

  private struct State {
    var set: ClosureBox<@Sendable (BootInstant) -> Void>?
    var due: BootInstant?
  }

  private let boot: @Sendable () -> BootInstant
  private let make: Make
  private let queue = DispatchQueue(label: "homeline.web.drafts")
  private let state = Locked(State())

  /// - Parameter boot: the clock of the alarm.
  init(boot: @escaping @Sendable () -> BootInstant, make: @escaping Make) {
    self.boot = boot
    self.make = make
  }

  /// Calls a function after this time, unless a call is due earlier. If there are no descriptors left, it is not called: the drafts are
  /// also cleaned when the user writes.
  func set(in pause: Duration, _ body: @escaping @Sendable () -> Void) {
    // A draft is removed when it is older than its day.
    let due = boot() + max(.zero, pause) + .seconds(1)
    state.withLock { state in
      if let former = state.due, former <= due { return }
      if state.set == nil { state.set = (try? make(queue, body)).map { ClosureBox($0) } }
      guard let set = state.set else { return }
      state.due = due
      set.call(due)
    }
  }

  func clear() { state.withLock { $0 = State() } }
}
