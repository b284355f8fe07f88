import Dispatch
import Platform

@testable import Web

/// An alarm that rings when a test says so.
final class ScriptedAlarm: Sendable {
  private struct State {
    var due: BootInstant?
    var ring: (@Sendable () -> Void)?
  }

  /// Exists as long as the alarm.
  private final class Bell: Sendable {
    private let alarm: ScriptedAlarm
    init(_ alarm: ScriptedAlarm) { self.alarm = alarm }
    deinit { alarm.state.withLock { $0 = State() } }
    func set(_ due: BootInstant) { alarm.state.withLock { $0.due = due } }
  }

  private let state = Locked(State())

  /// When the alarm is due; nil if there is none.
  var due: BootInstant? { state.withLock { $0.due } }

  var make: DraftAlarm.Make {
    { (queue, body) throws(SystemError) in
      let bell = Bell(self)
      self.state.withLock { $0.ring = { queue.async(execute: body) } }
      return { bell.set($0) }
    }
  }

  /// Rings if the alarm is due at a time.
  func ring(at now: BootInstant) {
    state.withLock { state in state.due.map { $0 <= now } ?? false ? state.ring : nil }?()
  }
}
