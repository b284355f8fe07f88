package import Time

/// The request limit reported by a provider.
package struct RateLimit: Sendable, Hashable {
  /// The number of requests allowed in a window; `nil` if not reported.
  package let limit: Int?
  /// The number of requests left in the current window.
  package let remaining: Int
  /// When the window ends, according to the local clock.
  package let reset: Timestamp

  /// The largest number of requests, far above any provider's. Larger numbers are reduced to it.
  private static let most = 1_000_000_000

  package init(limit: Int?, remaining: Int, reset: Timestamp) {
    self.limit = limit.map { min(max($0, 0), Self.most) }
    self.remaining = min(max(remaining, 0), Self.most)
    self.reset = reset
  }
}
