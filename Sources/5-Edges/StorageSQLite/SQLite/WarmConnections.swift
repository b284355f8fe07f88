internal import Platform

/// Limits the number of connections that keep their prepared statements and the parsed schema while they are idle. These take about 200 KB of
/// memory for an account's database, and preparing them again takes less than a millisecond. A service with 1,000 accounts thus needs a
/// fraction of the memory.
///
/// The first connections keep their statements. Replacing the least recently used connection would not help, because a service refreshes
/// its accounts in turn.
enum WarmConnections {
  static let limit = 16
  private static let number = Locked(0)

  /// Counts a connection that was used.
  static func enter() { number.withLock { $0 += 1 } }

  /// Stops counting a connection.
  static func leave() { number.withLock { $0 -= 1 } }

  /// Stops counting an idle connection if there are more than ``limit``.
  /// - Returns: whether the connection must drop its statements.
  static func leaveIfTooMany() -> Bool {
    number.withLock { number in
      guard number > limit else { return false }
      number -= 1
      return true
    }
  }
}
