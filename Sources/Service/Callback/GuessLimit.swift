package import Platform

/// How many callbacks that name no login are answered in a row before they are cut short: a value that is told the time.
///
/// A leaky bucket: each guess fills it by one, each second empties it by one. Nobody comes upon 192 random bits by guessing; the limit
/// keeps who tries from being answered at length, and has it said once. What names a login is never asked for a place here.
package struct GuessLimit: Sendable {
  /// So many at once are a browser's: tabs of logins that are over, reloaded all together.
  package static let room = 32
  private static let drain = Duration.seconds(1)

  /// When the bucket would be empty.
  private var emptyAt: BootInstant?
  private var hasWarned = false

  package init() {}

  package enum Verdict: Sendable, Equatable {
    case answer
    /// Too many. `isFirst`: nobody has been told so yet.
    case refuse(isFirst: Bool)
  }

  /// Judges one more guess. Those that are refused count too, up to the brim: whoever goes on is refused on.
  package mutating func judge(at now: BootInstant) -> Verdict {
    let full = now + Self.drain * Self.room
    let level = max(emptyAt ?? now, now) + Self.drain
    emptyAt = min(level, full)
    guard level > full else { return .answer }
    defer { hasWarned = true }
    return .refuse(isFirst: !hasWarned)
  }

  /// Another login waits: its user is to be told, too.
  package mutating func loginBegan() { hasWarned = false }
}
