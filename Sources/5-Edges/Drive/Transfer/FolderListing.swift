/// The entries of a folder, read page by page, as a value that determines the next request and handles its response.
///
/// The API counts entries from the start of the folder. If an entry is removed between two requests, the later entries move up, and the
/// next page would begin too late. Each request therefore begins with the last readable entry of the previous page. If the page
/// begins with a different entry, the folder has changed and is read again.
package struct FolderListing: Sendable {
  /// The maximum number of entries in a folder.
  static let limit = 1_000_000
  /// The maximum number of times that a changing folder is read again.
  static let attempts = 10

  /// The number of entries to skip in the next request; nil if the whole folder has been read.
  package private(set) var next: Int? = 0
  /// Whether the folder kept changing, so that entries may be missing.
  package private(set) var isIncomplete = false
  /// The number of entries that the server listed without a path, or with a path above the limit.
  package private(set) var unreadable = 0
  /// The last readable entry so far, at position `next` of the folder; nil if there is none.
  private var last: String?
  /// The number of entries of the folder read so far, including unreadable ones.
  private var end = 0
  private var seen: Set<String> = []
  private var restarts = 0

  package init() {}

  /// Handles the requested page.
  /// - Returns: the entries that earlier pages did not contain.
  package mutating func take(_ page: DriveListing) -> [DriveEntry] {
    guard let start = next else { preconditionFailure("no page was requested") }
    let new = page.entries.filter { seen.insert(Self.identity(of: $0)).inserted }
    if let last, page.entries.first.map({ Self.identity(of: $0) }) != last {
      beginAgain()
      return new
    }
    let added = start + page.count - end
    guard added > 0, start < Self.limit else {
      // If a page ends with unreadable entries, more entries may follow.
      next = page.count > 1 && last != nil && start < Self.limit ? end : nil
      last = nil
      return new
    }
    // Only the last readable entry, and the unreadable ones after it, are requested twice.
    unreadable += added - page.entries.count + (last == nil ? 0 : 1)
    end = start + page.count
    last = page.entries.last.map { Self.identity(of: $0) }
    next = page.lastReadable.map { start + $0 } ?? end
    return new
  }

  private mutating func beginAgain() {
    restarts += 1
    last = nil
    end = 0
    unreadable = 0
    guard restarts <= Self.attempts else {
      isIncomplete = true
      next = nil
      return
    }
    next = 0
  }

  private static func identity(of entry: DriveEntry) -> String { entry.id ?? entry.path }
}
