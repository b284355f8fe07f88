package import CivilTime

/// The request limit reported by a provider.
package struct RateLimit: Sendable, Hashable {
  /// The number of requests allowed in a window; `nil` if not reported.
  package let limit: Int?
  /// The number of requests left in the current window.
  package let remaining: Int
  /// When the window ends, according to the local clock.
  package let reset: Timestamp

  package init(limit: Int?, remaining: Int, reset: Timestamp) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
  }
}
