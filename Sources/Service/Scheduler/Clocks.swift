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
  package let awake: @Sendable () -> Duration
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
  package init(wall: WallClock) {
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
