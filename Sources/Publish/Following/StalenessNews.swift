package import CivilTime
internal import Timeline

/// Tells once when a timeline grows stale, and once when that is over.
package struct StalenessNews: Sendable {
  private var isStale = false

  package init() {}

  /// - Returns: a line for people, when there is news.
  package mutating func line(about head: TimelineHead, at now: Timestamp) -> String? {
    let wasStale = isStale
    isStale = head.isStale(at: now)
    if isStale { return wasStale ? nil : head.stalenessLine }
    return wasStale ? "\(head.account): up to date again" : nil
  }
}

extension TimelineHead {
  /// That the posts are old, since when and why, in a line.
  package var stalenessLine: String {
    let last = refreshedAt.map { "last refreshed at \($0.rfc3339)" } ?? "never refreshed"
    let reason = problem.map { SafeText.line(of: $0.message) } ?? "is the service running?"
    return "\(account): these posts are old, \(last): \(reason)"
  }
}
