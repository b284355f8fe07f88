package import Time

/// Reports once when a timeline becomes stale, and once when it is fresh again.
package struct StalenessChange: Sendable {
  private var isStale = false

  package init() {}

  /// Returns a line to show to the user; `nil` if the state has not changed.
  package mutating func line(about head: TimelineHead, at now: Timestamp) -> String? {
    let wasStale = isStale
    isStale = head.isStale(at: now)
    if isStale { return wasStale ? nil : head.stalenessLine }
    return wasStale ? "\(head.name): up to date again" : nil
  }
}
