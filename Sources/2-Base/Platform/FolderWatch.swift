package import Dispatch

/// Reports when files appear in a folder or are replaced, without polling (`inotify(7)`).
///
/// The folder need not exist. It and its parents may be created, removed and recreated. Nothing runs between changes.
package final class FolderWatch: Sendable {
  private let events: InotifyEvents
  private let watches: Locked<FolderWatches>
  private let source: DispatchSource

  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - removals: whether removed and moved files are reported too.
  ///   - changed: runs on `queue` after each change. The initial content is not reported, so read it once after this call.
  /// - Throws: EMFILE or ENOSPC if the kernel has no instances or watches left (`/proc/sys/fs/inotify`).
  package init(
    _ folder: String, removals: Bool = false, on queue: DispatchQueue,
    _ changed: @escaping @Sendable (FolderChange) -> Void
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
