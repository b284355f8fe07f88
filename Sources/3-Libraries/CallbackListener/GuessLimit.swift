package import Platform

/// Limits how many consecutive requests without a login receive a full response. The caller passes the time.
///
/// The limit is a leaky bucket: each guess adds one, and each second removes one. Nobody can guess 128 random bits; the limit only keeps
/// attempts cheap and reports them once. A request that belongs to a login is never limited.
package struct GuessLimit: Sendable {
  /// The number of guesses that are answered in a burst: about as many as a browser sends when it reloads the tabs of old logins.
  package static let capacity = 32
  private static let drain = Duration.seconds(1)

  /// When the bucket will be empty.
  private var emptyAt: BootInstant?
  private var hasReported = false

  package init() {}

  package enum Verdict: Sendable, Equatable {
    /// Answer the request.
    case allowed
    /// Refuse the request. `isFirst` is true once for each login.
    case refused(isFirst: Bool)
  }

  /// Counts one more guess. Refused guesses count too, up to the capacity: a client that keeps guessing stays refused.
  package mutating func judge(at now: BootInstant) -> Verdict {
    let full = now + Self.drain * Self.capacity
    let level = max(emptyAt ?? now, now) + Self.drain
    emptyAt = min(level, full)
    guard level > full else { return .allowed }
    defer { hasReported = true }
    return .refused(isFirst: !hasReported)
  }

  /// Records that another login is waiting. The next refused guess is then reported to the user of that login.
  package mutating func loginBegan() { hasReported = false }
}
