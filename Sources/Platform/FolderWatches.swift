package import Dispatch
internal import Glibc

/// The watches needed for one folder, and the interpretation of their events.
struct FolderWatches {
  private static let content = IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF
  /// Parents are watched only for their own removal, so other changes to them cause no wake-ups.
  private static let end = IN_DELETE_SELF | IN_MOVE_SELF

  private static let removal = IN_DELETE | IN_MOVED_FROM

  private let folder: String
  private let content: Int32
  private let events: InotifyEvents
  private var watches: Set<Int32> = []
  /// The watch on the folder, or on its lowest existing parent.
  private var lowest: Int32 = -1
  /// The name of the folder that must appear in the lowest watched folder; `nil` while the folder itself is watched.
  private var missing: String?

  /// - Parameter removals: whether removing a file or moving it away also counts as an event.
  init(_ folder: String, _ events: InotifyEvents, removals: Bool) {
    content = removals ? Self.content | Self.removal : Self.content
    self.folder = folder
    self.events = events
  }

  /// Replaces the watches with watches on the folders that exist.
  mutating func arm() throws(SystemError) {
    let former = watches
    watches = []
    let above = Self.folders(above: folder)
    for path in above { if let watch = try? events.watch(path, for: Self.end) { watches.insert(watch) } }
    try armLowest(of: above + [folder])
    watches.insert(lowest)
    for watch in former.subtracting(watches) { events.forget(watch) }
  }

  /// Watches the folder, or the lowest of its parents that exists. Starts again if the next folder appears in the meantime, because that
  /// event would be missed.
  private mutating func armLowest(of paths: [String]) throws(SystemError) {
    var index = paths.count - 1
    while true {
      do throws(SystemError) {
        lowest = try events.watch(paths[index], for: content)
      } catch {
        guard index > 0, error.code == ENOENT || error.code == ENOTDIR else { throw error }
        index -= 1
        continue
      }
      guard index < paths.count - 1 else {
        missing = nil
        return
      }
      let next = paths[index + 1]
      guard (try? FileStatus.of(next))?.isFolder == true else {
        missing = next.split(separator: "/").last.map(String.init)
        return
      }
      index = paths.count - 1
    }
  }

  /// Returns the change that the events report; `nil` if no relevant event occurred.
  mutating func change(by events: [InotifyEvents.Event]) -> FolderWatch.Change? {
    var names: Set<String> = []
    var hasMoved = false
    for event in events {
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasMoved = true }
      // Events may still arrive for watches that were removed.
      guard watches.contains(event.watch) else { continue }
      if event.mask & UInt32(Self.end | IN_IGNORED) != 0 {
        hasMoved = true
      } else if event.watch == lowest {
        if let missing {
          if event.name == missing { hasMoved = true }
        } else if event.mask & UInt32(IN_CREATE) == 0 || event.mask & UInt32(IN_ISDIR) != 0 {
          // A newly created file is still empty.
          names.insert(event.name)
        }
      }
    }
    if hasMoved {
      // If this fails, there are no further events, but the current state is still read.
      try? arm()
      return .anything
    }
    return names.isEmpty ? nil : .names(names)
  }

  /// Returns the folders above a path, from the root down.
  private static func folders(above path: String) -> [String] {
    var folders: [String] = []
    var rest = path
    while let parent = Folder.parent(of: rest) {
      folders.append(parent)
      rest = parent
    }
    return ["/"] + folders.reversed()
  }
}

/// Reports when files appear in a folder or are replaced, without polling (`inotify(7)`).
///
/// The folder need not exist. It and its parents may be created, removed and recreated. No code runs between changes.
package final class FolderWatch: Sendable {
  /// A change to the folder.
  package enum Change: Sendable, Hashable {
    /// Files with these names were written and closed or moved into the folder, or folders were created. If requested, this
    /// includes files that were removed or moved away.
    case names(Set<String>)
    /// The folder was created, removed or replaced, or events were lost: anything may have changed.
    case anything
  }

  private let events: InotifyEvents
  private let watches: Locked<FolderWatches>
  private let source: DispatchSource

  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - removals: whether removed and moved files are reported too.
  ///   - changed: runs on `queue` after each change. The initial content is not reported, so read it once after this call.
  /// - Throws: EMFILE or ENOSPC if the kernel has no instances or watches left (`/proc/sys/fs/inotify`).
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

/// An inotify instance: its watches and events.
struct InotifyEvents: Sendable {
  struct Event {
    let watch: Int32
    let mask: UInt32
    /// The name of the file within the watched folder; empty for events about the folder itself.
    let name: String
  }

  let number: Int32

  init() throws(SystemError) {
    number = try check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
  }

  /// Closes the descriptor. Call this once, when no source uses the descriptor any more.
  func close() { _ = Glibc.close(number) }

  /// Watches a folder; if it is already watched, these events replace the earlier ones.
  func watch(_ path: String, for mask: Int32) throws(SystemError) -> Int32 {
    try check("inotify_add_watch", path) { unsafe inotify_add_watch(number, path, UInt32(mask | IN_ONLYDIR)) }
  }

  /// Removes a watch, if it still exists.
  func forget(_ watch: Int32) { _ = inotify_rm_watch(number, watch) }

  /// Returns all events since the last call.
  func read() -> [Event] {
    var events: [Event] = []
    var bytes = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
      if count > 0 {
        events += Self.events(in: bytes[..<count])
      } else if count == 0 || errno != EINTR {
        return events
      }
    }
  }

  /// Reads each `struct inotify_event`: watch, mask, cookie and the length of the name, which is padded with zeros.
  private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
    var events: [Event] = []
    var rest = bytes
    while rest.count >= 16 {
      let fields = (0..<4).map { index in
        unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
      }
      let name = rest.dropFirst(16).prefix(Int(fields[3])).prefix { $0 != 0 }
      events.append(
        Event(watch: Int32(bitPattern: fields[0]), mask: fields[1], name: String(decoding: name, as: UTF8.self)))
      rest = rest.dropFirst(16 + Int(fields[3]))
    }
    return events
  }
}
