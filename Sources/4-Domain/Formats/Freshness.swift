package import Time

/// How long a published file counts as fresh. This lets programs detect that the service has stopped.
///
/// A file is replaced when its content changes. While refreshes return nothing new, it remains for about an hour. Its `freshUntil` is
/// therefore an hour after the next refresh. A refresh replaces the file if `freshUntil` would otherwise pass before the next one.
package struct Freshness: Sendable, Hashable {
  /// How long a file is kept while only refresh times change.
  package static let replacementInterval = Duration.seconds(3600)

  /// When the next scheduled refresh will have ended, unless there is a problem. It may be late by one interval, or by a
  /// minute if that is longer.
  package let refreshDue: Timestamp

  package init(refreshedAt: Timestamp?, nextRefreshAt: Timestamp) {
    let interval = refreshedAt.map { nextRefreshAt - $0 } ?? .zero
    refreshDue = nextRefreshAt + max(interval, .seconds(60))
  }

  /// The time when a file written now stops being fresh.
  package var freshUntil: Timestamp { refreshDue + Self.replacementInterval }
}
