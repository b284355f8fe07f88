internal import JSON
package import Time

/// A page of a library's change feed: files and folders in their state after the change, oldest change first.
package struct DriveChanges: Sendable {
  package struct Change: Sendable {
    package let entry: DriveEntry
    /// The entry as the server wrote it.
    package let source: ArraySlice<UInt8>
  }

  /// A page with this many changes counts as full: more changes may follow. The API does not document the page size; this
  /// is the page size of a folder.
  package static let fullPage = 100

  package private(set) var changes: [Change] = []
  /// The number of elements in the response, including unreadable elements.
  package private(set) var count = 0
  /// The start time for the next request for changes; nil if the response contains no time.
  package private(set) var next: Timestamp?

  /// Reads the response to a request for changes. A response without a list means that nothing is new.
  /// - Throws: ``DriveError`` if the response reports a failure, is not an object, or contains more than 2,000 changes.
  package init(_ response: DriveResponse) throws(DriveError) {
    self = try response.object("a list of changes") { cursor in
      var page = DriveChanges()
      try cursor.members { cursor, name in
        switch name {
        case "fetch_dateline":
          page.next = try cursor.looseInteger(in: 0...Int64.max).flatMap { Timestamp(exactlyMilliseconds: $0) }
        case "list": try cursor.looseElements { try page.read(&$0) }
        default: try cursor.skip()
        }
      }
      return page
    }
  }

  private init() {}

  private static let limit = 2_000

  private mutating func read(_ cursor: inout JSONCursor) throws {
    count += 1
    guard count <= Self.limit else {
      throw DriveError(.unreadable, "the drive's server sent more than \(Self.limit) changes in one response")
    }
    let start = try cursor.start()
    guard let entry = try DriveEntry(&cursor) else { return }
    changes.append(Change(entry: entry, source: cursor.slice(from: start)))
  }
}
