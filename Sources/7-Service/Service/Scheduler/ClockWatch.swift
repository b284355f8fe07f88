internal import Platform
internal import Time

/// Detects that the wall clock was set or the machine was suspended, by comparing the three clocks between checks.
struct ClockWatch {
  /// The changes since the previous check.
  struct Finding: Equatable {
    /// How far the wall clock was set; nil if it was not set.
    var set: Duration?
    /// How long the machine was suspended; zero if it was not.
    var asleep: Duration = .zero
  }

  /// The largest difference that counts as drift correction. A larger difference means that the clock was set.
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
