package import Time
package import Timeline

extension RateLimit {
  /// How long after the reported end of a window a request may still count towards it, because the end is in whole seconds.
  static let margin = Duration.seconds(1)

  /// The number of requests in a window that scheduled work leaves unused. The last request is reserved for the user's own refresh.
  static let spare = 1

  /// The time when the next window has certainly begun.
  package var end: Timestamp { reset + Self.margin }

  /// Returns the earliest time for a scheduled request; `now` if the window is over. At this pace, the requests last until the end of the
  /// window, and one request remains.
  package func earliest(after now: Timestamp) -> Timestamp {
    guard now < end else { return now }
    // The time until the window's end is divided into `remaining` steps of one request each. The last step ends with the window, so one
    // request remains.
    return remaining <= Self.spare || now >= reset ? end : now + (reset - now) / remaining
  }

  /// Returns the known window of an account after a job: the window in its last response, otherwise the previous window minus the requests.
  package static func known(
    before: RateLimit?, stated: RateLimit?, requests: Int = 1, at now: Timestamp
  ) -> RateLimit? {
    guard let stated else { return before?.spent(requests, at: now) }
    return before?.spent(0, at: now)?.merged(with: stated) ?? stated
  }

  /// Returns the known window after this many requests whose responses reported no limits; `nil` if the window is over.
  package func spent(_ requests: Int, at now: Timestamp) -> RateLimit? {
    now < end ? RateLimit(limit: limit, remaining: max(0, remaining - requests), reset: reset) : nil
  }

  /// Combines two reports from the provider, regardless of the order they arrived in. If they describe the same window, the result
  /// has the smaller number of requests; otherwise it is the later window.
  package func merged(with other: RateLimit) -> RateLimit {
    if reset - other.reset > Self.margin { return self }
    if other.reset - reset > Self.margin { return other }
    return RateLimit(
      limit: other.limit ?? limit, remaining: min(remaining, other.remaining), reset: max(reset, other.reset))
  }
}
