package import CivilTime
package import Dispatch
package import Platform

/// The clocks of a scheduler. Tests can replace them.
package struct Clocks: Sendable {
  /// Creates an alarm that calls back on a queue.
  package typealias MakeAlarm =
    @Sendable (DispatchQueue, @escaping @Sendable () -> Void) throws(SystemError) -> any Waking

  /// The wall clock, which can be set.
  package let wall: WallClock
  /// The time since boot, which includes time spent suspended and cannot be set.
  package let boot: @Sendable () -> BootInstant
  /// The time since boot, not including time spent suspended.
  let awake: @Sendable () -> Duration
  package let alarm: MakeAlarm

  init(
    wall: WallClock, boot: @escaping @Sendable () -> BootInstant, awake: @escaping @Sendable () -> Duration,
    alarm: @escaping MakeAlarm
  ) {
    self.wall = wall
    self.boot = boot
    self.awake = awake
    self.alarm = alarm
  }

  package static let system = Clocks(wall: .system)

  /// Creates the system's clocks, but with a different wall clock.
  init(wall: WallClock) {
    self.init(
      wall: wall, boot: { .now }, awake: { AwakeTime.now },
      alarm: { (queue, body) throws(SystemError) in try Alarm(on: queue, body) })
  }
}

/// An alarm that rings once at a given time.
package protocol Waking: Sendable {
  /// Sets the time; `nil` stops the alarm.
  func set(_ instant: BootInstant?)
}

extension Alarm: Waking {}

/// Detects that the wall clock was set or the machine was suspended, by comparing the three clocks between checks.
struct ClockWatch {
  /// The changes since the previous check.
  struct Finding: Equatable {
    /// The amount by which the wall clock was set; nil if it was not set.
    var set: Duration?
    /// The time for which the machine was suspended; zero if it was not.
    var asleep: Duration = .zero
  }

  /// The largest difference that counts as correcting the clock's drift. A larger one means that the clock was set.
  static let tolerance = Duration.seconds(5)

  private var wall: Timestamp
  private var boot: BootInstant
  private var awake: Duration

  init(_ clocks: Clocks) {
    wall = clocks.wall.now
    boot = clocks.boot()
    awake = clocks.awake()
  }

  mutating func look(at clocks: Clocks) -> Finding {
    let before = self
    self = ClockWatch(clocks)
    let passed = boot - before.boot
    var finding = Finding()
    finding.asleep = max(.zero, passed - (awake - before.awake))
    let jump = (wall - before.wall) - passed
    if max(jump, .zero - jump) > Self.tolerance {
      finding.set = jump
    } else {
      // Drift accumulates over several checks until it exceeds the tolerance.
      wall = before.wall + passed
    }
    return finding
  }
}
