internal import CivilTime

/// Counts requests in windows that begin with the first request of each (`x-rate-limit-…`).
struct RateWindows: Sendable {
  struct Standing {
    let limit: Int
    let remaining: Int
    /// When the window ends.
    let reset: Timestamp
    let isExceeded: Bool
  }

  private struct Window {
    let reset: Timestamp
    var used: Int
  }

  /// Windows of ended tokens are dropped beyond this.
  private static let capacity = 10_000

  let limit: Int
  let length: Duration
  private var windows: [String: Window] = [:]

  init(limit: Int, length: Duration) {
    self.limit = limit
    self.length = length
  }

  /// Counts a request of `who`.
  mutating func count(_ who: String, at now: Timestamp) -> Standing {
    if windows.count > Self.capacity { windows = windows.filter { $0.value.reset > now } }
    var window = windows[who] ?? Window(reset: now + length, used: 0)
    // Also a window that ends too late: then the clock was set back.
    if window.reset <= now || window.reset > now + length { window = Window(reset: now + length, used: 0) }
    window.used += 1
    windows[who] = window
    return Standing(
      limit: limit, remaining: max(0, limit - window.used), reset: window.reset, isExceeded: window.used > limit)
  }
}
