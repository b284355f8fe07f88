internal import Time

/// The change feed of a library: the latest change to each path. As in the real service, a removal keeps the time of the previous change.
struct GokuaiChanges<Item: Sendable>: Sendable {
  struct Change: Sendable {
    let path: [UInt8]
    let item: Item
    let isRemoval: Bool
    /// The position in the feed, in milliseconds; unique to each change.
    let position: Int64
  }

  /// The maximum number of changes in one response.
  private static var pageSize: Int { 100 }

  private var last: [[UInt8]: Change] = [:]
  /// The time of the last change or response. A later change gets a later time, so that no response skips it.
  private var lastPosition: Int64 = 0

  mutating func note(_ item: Item, at path: [UInt8], isRemoval: Bool, at now: Timestamp) {
    lastPosition = max(now.milliseconds, lastPosition + 1)
    last[path] = Change(path: path, item: item, isRemoval: isRemoval, position: lastPosition)
  }

  /// Returns a page of the feed, and the time when the next page begins.
  mutating func page(
    after start: Int64, includesRemovals: Bool, at now: Timestamp
  ) -> (changes: [Change], next: Int64) {
    let waiting = last.values.filter { $0.position > start && (includesRemovals || !$0.isRemoval) }
      .sorted { $0.position < $1.position }
    let page = Array(waiting.prefix(Self.pageSize))
    if page.count < waiting.count, let end = page.last { return (page, end.position) }
    lastPosition = max(lastPosition, now.milliseconds)
    return (page, lastPosition)
  }
}
