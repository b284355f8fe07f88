package import Dispatch
package import Platform
package import Time

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
