package import OAuthValues
package import Platform
package import Time

/// A file next to an account's database. It exists while requests are signed with the server's time because this machine's clock is far
/// off, and tells later processes and `homeline sign` how far.
///
/// It contains the difference in seconds, and the time of the measurement by the wall clock and since the machine's start. These show
/// whether the clock has been set since, except after a restart. The next refused request then corrects the file.
package struct ClockOffsetFile: Sendable {
  private let path: String
  private let machineStart: String
  private let wall: WallClock
  private let boot: @Sendable () -> BootInstant

  /// The maximum size of the file in bytes.
  private static let limit = 128
  /// A hundred years in seconds, the maximum difference. Larger numbers mean that the file is damaged.
  private static let most: Int64 = 100 * 366 * 86_400
  private static let times = 0...Timestamp.latest.seconds

  /// - Parameter machineStart: the id of the machine's current boot.
  package init(
    _ files: AccountFiles, machineStart: String = CleanShutdownMarker.machineStart, wall: WallClock = .system,
    boot: @escaping @Sendable () -> BootInstant = { .now }
  ) {
    path = files.clockOffset
    self.machineStart = machineStart
    self.wall = wall
    self.boot = boot
  }

  /// The number of seconds to add to this machine's time; 0 if the difference is small or unknown.
  package var seconds: Int64 {
    guard let bytes = try? TrustedFile.read(path, limit: Self.limit) else { return 0 }
    let fields = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard fields.count == 4, let offset = Int64(fields[0]), let measured = Int64(fields[1]),
      let instant = Int64(fields[2]), (-Self.most...Self.most).contains(offset), Self.times.contains(measured),
      Self.times.contains(instant)
    else { return 0 }
    var current = ClockOffset()
    let passed = fields[3] == machineStart ? secondsSinceBoot - instant : wall.now.seconds - measured
    current.learn(server: measured + offset + passed, local: wall.now.seconds)
    return current.isLarge ? current.seconds : 0
  }

  /// Stores a difference, or removes the file if the difference is small.
  /// - Returns: whether this succeeded. Before an account's first login, its folder may not exist.
  package func store(_ offset: ClockOffset) -> Bool {
    guard offset.isLarge else { return (try? File.remove(path)) != nil }
    let start = machineStart.isEmpty ? "-" : machineStart
    let text = "\(offset.seconds) \(wall.now.seconds) \(secondsSinceBoot) \(start)\n"
    return (try? AtomicFile.write(Array(text.utf8), to: path, .replaced)) != nil
  }

  private var secondsSinceBoot: Int64 { boot().nanoseconds / 1_000_000_000 }
}
