internal import Time

/// Rate limits (`x-rate-limit-…`): counts requests in windows. A window begins with its first request.
struct RateLimiter: Sendable {
  struct Status {
    let limit: Int
    let remaining: Int
    /// The time when the window ends.
    let reset: Timestamp
    let isExceeded: Bool
  }

  private struct Window {
    let reset: Timestamp
    var used: Int
  }

  /// Expired windows are discarded once there are more windows than this.
  private static let capacity = 10_000

  let limit: Int
  let length: Duration
  private var windows: [String: Window] = [:]

  init(limit: Int, length: Duration) {
    self.limit = limit
    self.length = length
  }

  /// Counts a request.
  /// - Parameter key: identifies the subject of the limit, such as a token.
  mutating func count(_ key: String, at now: Timestamp) -> Status {
    if windows.count > Self.capacity { windows = windows.filter { $0.value.reset > now } }
    var window = windows[key] ?? Window(reset: now + length, used: 0)
    // A window that ends too far in the future began before the clock was set back.
    if window.reset <= now || window.reset > now + length { window = Window(reset: now + length, used: 0) }
    window.used += 1
    windows[key] = window
    return Status(
      limit: limit, remaining: max(0, limit - window.used), reset: window.reset, isExceeded: window.used > limit)
  }
}
