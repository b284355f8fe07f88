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

  /// Watches the folder, or its lowest existing parent. Starts again if the next folder appears meanwhile, because that event would be
  /// missed.
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
  mutating func change(by events: [InotifyEvents.Event]) -> FolderChange? {
    var names: Set<String> = []
    var hasMoved = false
    for event in events {
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasMoved = true }
      // Events may still arrive for removed watches.
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
      // If this fails, no further events arrive, but the current state is still read.
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
