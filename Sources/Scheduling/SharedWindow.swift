internal import CivilTime
internal import Timeline

/// A provider's rate limit window, and the start of the last request in it.
struct SharedWindow: Sendable, Hashable {
  /// The last report; `nil` before the first one.
  private(set) var reported: RateLimit?
  var startedAt: Timestamp?

  mutating func learn(_ limit: RateLimit, at now: Timestamp) {
    guard limit.reset - now <= Backoff.longest else { return }
    reported = reported.flatMap { now < $0.end ? $0.merged(with: limit) : nil } ?? limit
  }

  /// Counts requests whose responses reported no limits. If a response with posts reports no new window, there are no longer any limits.
  /// A failure does not show that.
  mutating func spend(_ requests: Int, isGood: Bool, at now: Timestamp) {
    reported = reported.flatMap { $0.spent(requests, at: now) ?? (isGood ? nil : $0) }
  }

  mutating func shift(by duration: Duration) {
    reported = reported.map { RateLimit(limit: $0.limit, remaining: $0.remaining, reset: $0.reset + duration) }
    startedAt = startedAt.map { $0 + duration }
  }

  /// Whether and when another request may start.
  ///
  /// - Parameters:
  ///   - underWay: requests that have started and not ended. Some may already be included in the report. They are then counted more
  ///     than once here, which is the safe choice.
  ///   - demand: refreshes that are due before the window's end.
  func opening(for work: Work, underWay: Int, demand: Int, at now: Timestamp) -> Opening {
    guard let reported else { return .open }
    // Nothing is known about a new window, so one request goes first, however many are waiting.
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

/// Whether work may start.
enum Opening: Sendable, Hashable {
  case open
  /// Work may not start before this time.
  case closed(until: Timestamp)
  /// Work may not start before other work has ended.
  case taken

  /// The result if both conditions have to be met.
  func and(_ other: Opening) -> Opening {
    switch (self, other) {
    case (.closed(let one), .closed(let another)): .closed(until: max(one, another))
    case (.open, let rest), (let rest, .open): rest
    case (.taken, .closed(let until)), (.closed(let until), .taken): .closed(until: until)
    case (.taken, .taken): .taken
    }
  }
}
