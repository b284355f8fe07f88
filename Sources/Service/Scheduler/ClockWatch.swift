internal import CivilTime
internal import Platform

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
