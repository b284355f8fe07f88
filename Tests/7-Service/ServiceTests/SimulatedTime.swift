import Dispatch
import Platform
import Time

@testable import Service

/// Time that a test moves. All clocks follow it, and its alarm fires when the test calls `ring`.
final class SimulatedTime: Sendable {
  private struct State: Sendable {
    var wall = Timestamp(seconds: 1_790_000_000)
    var boot = BootInstant(nanoseconds: 1_000_000_000_000)
    var awake = Duration.seconds(1000)
    var due: BootInstant?
    var ring: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// An alarm that only stores the time that it was set to.
  private final class Bell: Waking {
    private let time: SimulatedTime
    init(_ time: SimulatedTime) { self.time = time }
    func set(_ instant: BootInstant?) { time.state.withLock { $0.due = instant } }
  }

  var wall: WallClock { WallClock { self.now } }
  var now: Timestamp { state.withLock { $0.wall } }

  var clocks: Clocks {
    Clocks(
      wall: wall, boot: { self.state.withLock { $0.boot } }, awake: { self.state.withLock { $0.awake } },
      alarm: { queue, body in
        self.state.withLock { $0.ring = { queue.async(execute: body) } }
        return Bell(self)
      })
  }

  /// The time until the alarm is due; `nil` if it is not set.
  var pause: Duration? { state.withLock { state in state.due.map { max(.zero, $0 - state.boot) } } }

  /// Advances the time, with the machine awake or suspended.
  func pass(_ duration: Duration, asleep: Bool = false) {
    state.withLock { state in
      state.wall = state.wall + duration
      state.boot = state.boot + duration
      if !asleep { state.awake += duration }
    }
  }

  /// Sets the wall clock, as a person or a time server would.
  func set(by duration: Duration) { state.withLock { $0.wall = $0.wall + duration } }

  /// Rings the alarm if it is due.
  func ring() {
    let ring = state.withLock { state -> (@Sendable () -> Void)? in
      guard let due = state.due, due <= state.boot else { return nil }
      state.due = nil
      return state.ring
    }
    ring?()
  }
}

extension Clocks {
  /// Moves the time to a given point. All clocks follow, so the wall clock does not appear to have been set. No alarm rings.
  static func all(by wall: WallClock) -> Clocks {
    Clocks(
      wall: wall, boot: { BootInstant(nanoseconds: wall.now.milliseconds * 1_000_000) },
      awake: { .milliseconds(wall.now.milliseconds) }, alarm: { _, _ in Silence() })
  }

  private struct Silence: Waking {
    func set(_ instant: BootInstant?) {}
  }
}
