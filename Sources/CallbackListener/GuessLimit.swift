package import Platform

/// Limits how many requests in a row that belong to no login get a full response; the caller passes the time.
///
/// A leaky bucket: each guess adds one, each second takes one away. Nobody guesses 128 random bits; the limit keeps a program that tries
/// cheap, and reports it once. A request that belongs to a login is never limited.
package struct GuessLimit: Sendable {
  /// How many guesses are answered at once: a browser that reloads the tabs of old logins sends about so many.
  package static let capacity = 32
  private static let drain = Duration.seconds(1)

  /// When the bucket will be empty.
  private var emptyAt: BootInstant?
  private var hasReported = false

  package init() {}

  package enum Verdict: Sendable, Equatable {
    /// Answer the request.
    case allowed
    /// Refuse it. `isFirst` is true once for each login.
    case refused(isFirst: Bool)
  }

  /// Counts one more guess. Refused guesses count too, up to the capacity, so that whoever continues stays refused.
  package mutating func judge(at now: BootInstant) -> Verdict {
    let full = now + Self.drain * Self.capacity
    let level = max(emptyAt ?? now, now) + Self.drain
    emptyAt = min(level, full)
    guard level > full else { return .allowed }
    defer { hasReported = true }
    return .refused(isFirst: !hasReported)
  }

  /// Another login waits: the next refusal is reported again, for its user.
  package mutating func loginBegan() { hasReported = false }
}
