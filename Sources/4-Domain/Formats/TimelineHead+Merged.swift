internal import Time
internal import Timeline

extension TimelineHead {
  /// Returns the head for the posts of several timelines. Its `freshUntil` is the earliest of all timelines. Its `staleSince` and
  /// problem come from the timeline that has been stale longest.
  package static func merged(
    _ heads: [TimelineHead], account: String, provider: String, unread: Int
  ) -> TimelineHead {
    let stale = heads.filter { $0.staleSince != nil }.min { $0.staleSince! < $1.staleSince! }
    let problem = stale.flatMap { head in
      head.problem.map { Problem(code: $0.code, message: "\(head.name): \($0.message)", retryAt: $0.retryAt) }
    }
    return TimelineHead(
      account: account, provider: provider, refreshedAt: heads.compactMap(\.refreshedAt).max(),
      freshUntil: stale == nil ? heads.compactMap(\.freshUntil).min() : nil, staleSince: stale?.staleSince,
      problem: problem, unread: unread)
  }
}
