internal import JSON

/// One of a user's libraries.
package struct DriveLibrary: Sendable, Hashable {
  package var id = ""
  package var name = ""

  package static func list(_ response: DriveResponse) throws(DriveError) -> [DriveLibrary] {
    try response.object("a list of libraries") { cursor in
      var libraries: [DriveLibrary] = []
      func read(_ cursor: inout JSONCursor) throws {
        try cursor.looseElements { cursor in
          var library = DriveLibrary()
          try cursor.looseMembers { cursor, name in
            switch name {
            case "mount_id": library.id = try cursor.looseText() ?? ""
            case "name", "org_name": library.name = try cursor.looseText() ?? library.name
            default: try cursor.skip()
            }
          }
          if !library.id.isEmpty { libraries.append(library) }
        }
      }
      guard try cursor.peek() == .object else {
        try read(&cursor)
        return libraries
      }
      try cursor.members { cursor, name in if name == "list" { try read(&cursor) } else { try cursor.skip() } }
      return libraries
    }
  }
}
