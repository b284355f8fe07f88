package import CivilTime
package import Timeline

extension RateLimit {
  /// Providers report the end of a window in whole seconds. A request in that very second may still be counted in the old window.
  static let margin = Duration.seconds(1)

  /// The number of requests that scheduled work leaves in a window: the last one is kept for the user's own refresh.
  static let spare = 1

  /// The moment when the next window has certainly begun.
  package var end: Timestamp { reset + Self.margin }

  /// The earliest moment for a scheduled request, at a pace at which the window lasts until its end and one request is left over: `now`
  /// if the window is over.
  package func earliest(after now: Timestamp) -> Timestamp {
    guard now < end else { return now }
    // The time from here to the end has `remaining` steps of one request each. The last step ends at the end, so one request is left
    // over.
    return remaining <= Self.spare || now >= reset ? end : now + (reset - now) / remaining
  }

  /// The known window of an account after a job: the one in its last response, or else the previous one less the requests sent.
  package static func known(
    before: RateLimit?, stated: RateLimit?, requests: Int = 1, at now: Timestamp
  ) -> RateLimit? {
    guard let stated else { return before?.spent(requests, at: now) }
    return before?.spent(0, at: now)?.merged(with: stated) ?? stated
  }

  /// The known window after so many more requests whose responses reported no limits; `nil` if the window is over.
  package func spent(_ requests: Int, at now: Timestamp) -> RateLimit? {
    now < end ? RateLimit(limit: limit, remaining: max(0, remaining - requests), reset: reset) : nil
  }

  /// Combines two reports of the provider, in whatever order they arrived: the smaller number within the same window, else the later
  /// window.
  package func merged(with other: RateLimit) -> RateLimit {
    if reset - other.reset > Self.margin { return self }
    if other.reset - reset > Self.margin { return other }
    return RateLimit(
      limit: other.limit ?? limit, remaining: min(remaining, other.remaining), reset: max(reset, other.reset))
  }
}
