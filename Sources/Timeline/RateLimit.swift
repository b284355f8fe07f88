package import CivilTime

/// How often a provider may still be asked, as it said itself.
package struct RateLimit: Sendable, Hashable {
  /// Requests allowed in a window; `nil` when not said.
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
