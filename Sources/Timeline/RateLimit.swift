package import CivilTime

/// The request limit that a provider states.
package struct RateLimit: Sendable, Hashable {
  /// Requests allowed in a window; `nil` if not stated.
  package let limit: Int?
  /// Requests left in the current window.
  package let remaining: Int
  /// When the window ends, by our clock.
  package let reset: Timestamp

  package init(limit: Int?, remaining: Int, reset: Timestamp) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
  }
}
