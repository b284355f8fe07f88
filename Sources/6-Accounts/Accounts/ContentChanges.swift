internal import Platform
package import PublishedFiles
package import Settings

/// A change of what the user's pages show.
package enum ContentChange: Sendable, Hashable {
  /// A timeline was published with other posts, or others of them are unread.
  case timeline(TimelineKey, PublishedSummary)
  /// A view was published with other newest posts, or another number of unread ones.
  case view(AccountName, PublishedSummary)
  /// A post in this account's outbox was added or removed, or its state has changed.
  case outbox(AccountName)
}

/// Counts the changes of what the user's pages show, and passes them on while somebody looks. Nobody has to ask again and again.
package final class ContentChanges: Sendable {
  private struct State {
    var count = 0
    var observer: ClosureBox<@Sendable (ContentChange, Int) -> Void>?
  }

  private let state = Locked(State())

  package init() {}

  /// The number of changes so far. Who has read everything after the number became this has missed nothing.
  package var count: Int { state.withLock { $0.count } }

  /// Passes on each change from now on, together with the count that includes it.
  /// - Parameter observer: called on any queue, and must not wait; `nil` to pass on nothing.
  package func observe(_ observer: (@Sendable (ContentChange, Int) -> Void)?) {
    let box = observer.map { ClosureBox($0) }
    state.withLock { $0.observer = box }
  }

  /// Records a change, which must already be visible to those who read the archive or the outbox.
  /// - Parameter change: evaluated only if somebody looks.
  package func report(_ change: @autoclosure () -> ContentChange) {
    let (observer, count) = state.withLock { state in
      state.count += 1
      return (state.observer, state.count)
    }
    observer?.call(change(), count)
  }
}
