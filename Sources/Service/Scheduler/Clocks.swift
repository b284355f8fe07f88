package import CivilTime
package import Dispatch
package import Platform

/// The clocks that a scheduler goes by, as values that tests can set.
package struct Clocks: Sendable {
  /// Makes an alarm that calls back on a queue.
  package typealias MakeAlarm =
    @Sendable (DispatchQueue, @escaping @Sendable () -> Void) throws(SystemError) -> any Waking

  /// What people's clocks show; it can be set.
  package let wall: WallClock
  /// Goes on in suspend, and is never set.
  package let boot: @Sendable () -> BootInstant
  /// Stands still in suspend.
  let awake: @Sendable () -> Duration
  package let alarm: MakeAlarm

  package init(
    wall: WallClock, boot: @escaping @Sendable () -> BootInstant, awake: @escaping @Sendable () -> Duration,
    alarm: @escaping MakeAlarm
  ) {
    self.wall = wall
    self.boot = boot
    self.awake = awake
    self.alarm = alarm
  }

  package static let system = Clocks(wall: .system)

  /// The system's own, with another wall clock.
  init(wall: WallClock) {
    self.init(
      wall: wall, boot: { .now }, awake: { AwakeTime.now },
      alarm: { (queue, body) throws(SystemError) in try Alarm(on: queue, body) })
  }
}

/// Rings once at a moment.
package protocol Waking: Sendable {
  /// Sets it anew; `nil` for not at all.
  func set(_ instant: BootInstant?)
}

extension Alarm: Waking {}

/// Notices that the wall clock was set, or that the machine was suspended, by what the three clocks show from one look to the next.
struct ClockWatch {
  /// What has happened since the look before.
  struct Finding: Equatable {
    /// By how much the wall clock was set, if it was.
    var set: Duration?
    /// How long the machine was suspended; zero when it was not.
    var asleep: Duration = .zero
  }

  /// A clock that is pulled by less is being kept right, not set.
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
      // Drift adds up over many looks, until it counts.
      wall = before.wall + passed
    }
    return finding
  }
}
