package import CivilTime
package import Timeline

extension RateLimit {
  /// Providers tell the end of a window in whole seconds: a request in that very second may still be counted to the old one.
  static let margin = Duration.seconds(1)

  /// What is left of a window for scheduled requests: the last one is kept for the user's own refresh, where there are two.
  static let spare = 1

  /// When the next window has surely begun.
  package var end: Timestamp { reset + Self.margin }

  /// The earliest moment for a scheduled request so that, at this pace, the window lasts until its end and one request stays
  /// over: `now` where the window is over.
  package func earliest(after now: Timestamp) -> Timestamp {
    guard now < end else { return now }
    // One of `remaining` steps from here to the end is one request; the last step ends at the end, so one request stays over.
    return remaining <= Self.spare || now >= reset ? end : now + (reset - now) / remaining
  }

  /// What is known of an account's window after a job: what its last answer told, or so many requests less.
  package static func known(
    before: RateLimit?, told: RateLimit?, requests: Int = 1, at now: Timestamp
  ) -> RateLimit? {
    guard let told else { return before?.spent(requests, at: now) }
    return before?.spent(0, at: now)?.merged(with: told) ?? told
  }

  /// What is known after so many more requests whose answers said nothing of limits; `nil` when the window is over.
  package func spent(_ requests: Int, at now: Timestamp) -> RateLimit? {
    now < end ? RateLimit(limit: limit, remaining: max(0, remaining - requests), reset: reset) : nil
  }

  /// What holds of two words of the provider, in whatever order they came: of the same window the smaller number, else the
  /// later window.
  package func merged(with other: RateLimit) -> RateLimit {
    if reset - other.reset > Self.margin { return self }
    if other.reset - reset > Self.margin { return other }
    return RateLimit(
      limit: other.limit ?? limit, remaining: min(remaining, other.remaining), reset: max(reset, other.reset))
  }
}
