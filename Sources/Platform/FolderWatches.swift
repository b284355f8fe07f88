internal import Glibc

/// Which folders have to be watched to know of one, and what their events mean for it.
struct FolderWatches {
  private static let content = IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF
  /// Folders above are watched for their own end only: what else happens in them wakes nobody.
  private static let end = IN_DELETE_SELF | IN_MOVE_SELF

  private static let removal = IN_DELETE | IN_MOVED_FROM

  private let folder: String
  private let content: Int32
  private let events: InotifyEvents
  private var watches: Set<Int32> = []
  /// The watch of the folder, or of the lowest one above that there is.
  private var lowest: Int32 = -1
  /// What has to appear there; `nil` while the folder itself is watched.
  private var missing: String?

  /// - Parameter removals: whether files that are removed or moved away are events of the folder too.
  init(_ folder: String, _ events: InotifyEvents, removals: Bool) {
    content = removals ? Self.content | Self.removal : Self.content
    self.folder = folder
    self.events = events
  }

  /// Watches what there is now, instead of what there was.
  mutating func arm() throws(SystemError) {
    let former = watches
    watches = []
    let above = Self.folders(above: folder)
    for path in above { if let watch = try? events.watch(path, for: Self.end) { watches.insert(watch) } }
    try armLowest(of: above + [folder])
    watches.insert(lowest)
    for watch in former.subtracting(watches) { events.forget(watch) }
  }

  /// From the folder upwards, until there is one. What appears below it meanwhile would not be told, so then it begins again.
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
      guard (try? FileFacts.of(next))?.isFolder == true else {
        missing = next.split(separator: "/").last.map(String.init)
        return
      }
      index = paths.count - 1
    }
  }

  /// - Returns: `nil` when nothing has happened that matters.
  mutating func change(by events: [InotifyEvents.Event]) -> FolderChange? {
    var names: Set<String> = []
    var hasMoved = false
    for event in events {
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasMoved = true }
      // Of watches that were given up, events may still come.
      guard watches.contains(event.watch) else { continue }
      if event.mask & UInt32(Self.end | IN_IGNORED) != 0 {
        hasMoved = true
      } else if event.watch == lowest {
        if let missing {
          if event.name == missing { hasMoved = true }
        } else if event.mask & UInt32(IN_CREATE) == 0 || event.mask & UInt32(IN_ISDIR) != 0 {
          // A file that was only made has nothing in it yet.
          names.insert(event.name)
        }
      }
    }
    if hasMoved {
      // Without a watch left nothing more is told; what there is now is looked at all the same.
      try? arm()
      return .anything
    }
    return names.isEmpty ? nil : .names(names)
  }

  /// From the root down.
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
