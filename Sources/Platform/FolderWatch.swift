package import Dispatch
internal import Glibc

/// Says when files appear in a folder or are replaced, without asking again and again (`inotify(7)`).
///
/// The folder need not be there: it may come, go and come again, with those above it. Between two changes nothing runs.
package final class FolderWatch: Sendable {
  package typealias Change = FolderChange

  private let events: InotifyEvents
  private let watches: Locked<FolderWatches>
  private let source: DispatchSource

  /// - Parameters:
  ///   - folder: a path from the root.
  ///   - removals: whether files that go are told of too: those that are removed, or moved away.
  ///   - changed: runs on `queue`. What was there before is no change: look once after this call.
  /// - Throws: EMFILE or ENOSPC (of watches, `/proc/sys/fs/inotify`) when the kernel has none left.
  package init(
    _ folder: String, removals: Bool = false, on queue: DispatchQueue, _ changed: @escaping @Sendable (Change) -> Void
  ) throws(SystemError) {
    let events = try InotifyEvents()
    let watches = Locked(FolderWatches(folder, events, removals: removals))
    self.events = events
    self.watches = watches
    do throws(SystemError) { try watches.withLock { watches throws(SystemError) in try watches.arm() } } catch {
      events.close()
      throw error
    }
    source = DispatchSource.reading(events.number, on: queue, closing: events.close) {
      if let change = watches.withLock({ $0.change(by: events.read()) }) { changed(change) }
    }
    source.activate()
  }

  deinit { source.cancel() }
}
