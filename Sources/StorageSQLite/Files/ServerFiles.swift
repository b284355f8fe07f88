internal import Files
package import Platform

/// Where what is known of one authorisation server lies: shared by the accounts that it has.
package struct ServerFiles: Sendable, Hashable {
  /// Accounts at one server have queues of their own, and may want to write at the same time. Nothing is asked of anybody meanwhile.
  // Of a value that has a size: one without lies where the lock's own pointer does, and the thread sanitizer takes one for the other.
  static let writing = Locked(false)

  package let folder: String

  /// - Parameter authority: `host[:port]`, of which only what is harmless in a file's name is kept.
  init(authority: String, state: String) {
    let name = authority.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) ? $0 : "_" }
    // A name of dots alone would lead elsewhere; hosts have none.
    let isPlain = name.contains { $0 != "." }
    folder = "\(state)/_servers/\(isPlain ? String(name.prefix(200)) : "_")"
  }

  /// The ids under which this program is known there, and their secrets.
  package var clients: String { "\(folder)/client.json" }
  /// Its addresses, as it told them.
  package var metadata: String { "\(folder)/server.json" }

  /// Removes what is known of the server.
  package func remove() throws(SystemError) {
    for path in [clients, metadata] { try File.remove(path) }
    try Folder.remove(folder)
  }
}

extension FileLayout {
  /// - Parameter authority: `host[:port]` of an authorisation server.
  package func server(_ authority: String) -> ServerFiles { ServerFiles(authority: authority, state: stateFolder) }

  /// Those of which something is known.
  package func knownServers() throws(SystemError) -> [ServerFiles] {
    let folder = "\(stateFolder)/_servers"
    return File.exists(folder) ? try Folder.names(in: folder).map(server) : []
  }

  /// Removes what owners of the state that were killed have left half-written of servers. Only the owner may ask for it, before it
  /// writes.
  package func removeServerLeftovers() throws(SystemError) {
    for server in try knownServers() {
      for file in [server.clients, server.metadata] { try AtomicFile.removeLeftovers(of: file) }
    }
  }
}
