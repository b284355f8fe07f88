internal import JSON

/// The address of a web page that shows a file.
package enum DriveLink {
  package static func read(_ response: DriveResponse) throws(DriveError) -> String {
    try response.object("a link") { cursor in
      var link: String?
      try cursor.members { cursor, name in
        switch name {
        case "link", "url": link = try cursor.stringOrSkip() ?? link
        default: try cursor.skip()
        }
      }
      return link.flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}
