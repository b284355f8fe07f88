internal import JSON

/// A page of a folder's entries.
package struct DriveListing: Sendable {
  package let entries: [DriveEntry]
  /// The number of elements in the response, including unreadable elements: those without a path, or with a path above the limit.
  package let count: Int
  /// The position of the last entry among all elements of the response; nil if there is no entry.
  package let lastReadable: Int?

  package init(_ response: DriveResponse) throws(DriveError) {
    (entries, count, lastReadable) = try response.object("a list of files") { cursor in
      var entries: [DriveEntry]?
      var count = 0
      var lastReadable: Int?
      try cursor.members { cursor, name in
        guard name == "list" else {
          try cursor.skip()
          return
        }
        var list: [DriveEntry] = []
        try cursor.looseElements { cursor in
          if let entry = try DriveEntry(&cursor) {
            list.append(entry)
            lastReadable = count
          }
          count += 1
        }
        entries = list
      }
      return entries.map { ($0, count, lastReadable) }
    }
  }
}
