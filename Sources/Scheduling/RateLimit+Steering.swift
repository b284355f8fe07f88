package import CivilTime
package import Timeline

extension RateLimit {
  /// Providers report the end of a window in whole seconds. A request in that same second may still count towards the old window.
  static let margin = Duration.seconds(1)

  /// The number of requests that scheduled work leaves in a window: the last one is reserved for the user's own refresh.
  static let spare = 1

  /// The time at which the next window has certainly begun.
  package var end: Timestamp { reset + Self.margin }

  /// The earliest time for a scheduled request, at a pace that lasts until the end of the window and leaves one request over: `now` if
  /// the window is over.
  package func earliest(after now: Timestamp) -> Timestamp {
    guard now < end else { return now }
    // The time from now to the end has `remaining` steps of one request each. The last step ends at the end, so one request is left
    // over.
    return remaining <= Self.spare || now >= reset ? end : now + (reset - now) / remaining
  }

  /// The known window of an account after a job: the one in its last response, or otherwise the previous one minus the requests sent.
  package static func known(
    before: RateLimit?, stated: RateLimit?, requests: Int = 1, at now: Timestamp
  ) -> RateLimit? {
    guard let stated else { return before?.spent(requests, at: now) }
    return before?.spent(0, at: now)?.merged(with: stated) ?? stated
  }

  /// The known window after this many more requests whose responses reported no limits; `nil` if the window is over.
  package func spent(_ requests: Int, at now: Timestamp) -> RateLimit? {
    now < end ? RateLimit(limit: limit, remaining: max(0, remaining - requests), reset: reset) : nil
  }

  /// Combines two reports from the provider, in whatever order they arrived: the smaller number if they describe the same window,
  /// otherwise the later window.
  package func merged(with other: RateLimit) -> RateLimit {
    if reset - other.reset > Self.margin { return self }
    if other.reset - reset > Self.margin { return other }
    return RateLimit(
      limit: other.limit ?? limit, remaining: min(remaining, other.remaining), reset: max(reset, other.reset))
  }
}
