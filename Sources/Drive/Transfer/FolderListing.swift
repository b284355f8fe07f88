/// The entries of a folder, read page by page, as a value that determines the next request and handles its response.
///
/// The API counts entries from the start of the folder. If an entry is removed between two requests, the later entries move up, and the
/// next page would begin too late. Each request therefore begins with the last entry of the previous page. If the page begins with a
/// different entry, the folder has changed and is read again.
package struct FolderListing: Sendable {
  /// The maximum number of entries in a folder.
  static let limit = 1_000_000
  /// The maximum number of times that a changing folder is read again.
  static let attempts = 10

  /// The number of entries to skip in the next request; nil if the whole folder has been read.
  package private(set) var next: Int? = 0
  /// Whether the folder kept changing, so that entries may be missing.
  package private(set) var isIncomplete = false
  private var last: String?
  private var seen: Set<String> = []
  private var restarts = 0

  package init() {}

  /// Handles the page that was requested.
  /// - Returns: the entries that earlier pages did not contain.
  package mutating func take(_ page: DriveListing) -> [DriveEntry] {
    guard let start = next else { preconditionFailure("no page was requested") }
    let new = page.entries.filter { seen.insert(Self.identity(of: $0)).inserted }
    if let last, page.entries.first.map({ Self.identity(of: $0) }) != last {
      beginAgain()
    } else if page.count <= (last == nil ? 0 : 1) || start >= Self.limit {
      next = nil
    } else {
      // If the last entry is unreadable, it cannot be recognised on the next page.
      last = page.entries.count == page.count ? page.entries.last.map { Self.identity(of: $0) } : nil
      next = start + page.count - (last == nil ? 0 : 1)
    }
    return new
  }

  private mutating func beginAgain() {
    restarts += 1
    last = nil
    guard restarts <= Self.attempts else {
      isIncomplete = true
      next = nil
      return
    }
    next = 0
  }

  private static func identity(of entry: DriveEntry) -> String { entry.id ?? entry.path }
}
