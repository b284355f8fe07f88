internal import Time
internal import Timeline

/// A provider's rate limit window, and the start of the last request in it.
struct SharedWindow: Sendable, Hashable {
  /// The last report; `nil` before the first one.
  private(set) var reported: RateLimit?
  var startedAt: Timestamp?

  /// - Parameter isRefusal: whether the provider has refused a request because of the limit. It then states when the limit ends, regardless
  ///   of earlier reports.
  mutating func learn(_ limit: RateLimit, isRefusal: Bool = false, at now: Timestamp) {
    guard limit.reset - now <= Backoff.longest else { return }
    if isRefusal {
      reported = limit
      return
    }
    reported = reported.flatMap { now < $0.end ? $0.merged(with: limit) : nil } ?? limit
  }

  /// Counts requests whose responses reported no limits. If a successful response reports no new window, the provider no longer reports
  /// limits. A failed response does not prove this.
  mutating func spend(_ requests: Int, isGood: Bool, at now: Timestamp) {
    reported = reported.flatMap { $0.spent(requests, at: now) ?? (isGood ? nil : $0) }
  }

  mutating func shift(by duration: Duration) {
    reported = reported.map { RateLimit(limit: $0.limit, remaining: $0.remaining, reset: $0.reset + duration) }
    startedAt = startedAt.map { $0 + duration }
  }

  /// Returns whether and when another request may start.
  ///
  /// - Parameters:
  ///   - underWay: the number of running requests. The report may already include some of them. These are then counted twice, which can
  ///     only delay requests.
  ///   - demand: the number of refreshes that are due before the window's end.
  func opening(for work: Work, underWay: Int, demand: Int, at now: Timestamp) -> Opening {
    guard let reported else { return .open }
    // The limit of a new window is unknown, so a single request is sent first, even if several are waiting.
    guard now < reported.end else { return underWay == 0 ? .open : .taken }
    let free = reported.remaining - underWay
    switch work {
    case .renew: return .open
    case .user: return free > 0 ? .open : .closed(until: reported.end)
    case .refresh:
      guard free > RateLimit.spare else { return .closed(until: reported.end) }
      guard demand > free - RateLimit.spare, let startedAt else { return .open }
      let next = startedAt + (reported.reset - startedAt) / free
      return next <= now ? .open : .closed(until: next)
    case .fill: return free - RateLimit.spare - demand > 0 ? .open : .closed(until: reported.end)
    }
  }
}
