internal import JSON

/// The server's response to the announcement of a file.
package struct CreatedFile: Sendable, Hashable {
  /// Whether the server already has the content, so that nothing needs to be sent.
  package let isComplete: Bool
  /// The server's identifier for the path, used in the upload.
  package let pathID: String
  /// The addresses of the upload servers as in the response, in order.
  package let servers: [String]

  init(isComplete: Bool, pathID: String, servers: [String]) {
    self.isComplete = isComplete
    self.pathID = pathID
    self.servers = servers
  }

  package init(_ response: DriveResponse) throws(DriveError) {
    self = try response.object("an upload") { cursor in
      var (isComplete, pathID, servers) = (false, String?.none, [String]())
      try cursor.members { cursor, name in
        switch name {
        case "state": isComplete = try cursor.looseInteger(in: 0...1) == 1
        case "hash": pathID = try cursor.looseText()
        case "server":
          let list = try cursor.stringOrSkip() ?? ""
          servers = list.split(separator: ",").map { String($0.filter { $0 != " " }) }.filter { !$0.isEmpty }
        default: try cursor.skip()
        }
      }
      guard isComplete || pathID != nil && !servers.isEmpty else { return nil }
      return CreatedFile(isComplete: isComplete, pathID: pathID ?? "", servers: servers)
    }
  }
}
