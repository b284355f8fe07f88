internal import Folders
package import Platform

/// The files about one authorisation server, shared by all accounts there.
package struct ServerFiles: Sendable, Hashable {
  /// Accounts on the same server have separate queues and may write at the same time, so each write holds a lock. No request is sent while
  /// the lock is held.
  // The value must not be empty: an empty value would have the same address as the lock, which the thread sanitizer reports.
  static let writing = Locked(false)

  package let folder: String

  /// - Parameter authority: `host[:port]`. Only characters that are safe in a file name are used.
  init(authority: String, state: String) {
    let name = authority.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) ? $0 : "_" }
    // A name that consists only of dots would refer to another folder. No host has such a name.
    let isPlain = name.contains { $0 != "." }
    folder = "\(state)/_servers/\(isPlain ? String(name.prefix(200)) : "_")"
  }

  /// The ids and secrets of this program's registrations.
  package var clients: String { "\(folder)/client.json" }
  /// The server's endpoints.
  package var metadata: String { "\(folder)/server.json" }

  /// Removes all files about the server.
  package func remove() throws(SystemError) {
    for path in [clients, metadata] { try File.remove(path) }
    try Folder.remove(folder)
  }
}

extension FileLayout {
  /// Returns the files about a server.
  /// - Parameter authority: `host[:port]` of an authorisation server.
  package func server(_ authority: String) -> ServerFiles { ServerFiles(authority: authority, state: stateFolder) }

  /// Returns the servers with stored files.
  package func knownServers() throws(SystemError) -> [ServerFiles] {
    let folder = "\(stateFolder)/_servers"
    return File.exists(folder) ? try Folder.names(in: folder).map(server) : []
  }

  /// Removes incomplete server files left behind by killed processes. Only the state owner may call this, before it writes.
  package func removeServerLeftovers() throws(SystemError) {
    for server in try knownServers() {
      for file in [server.clients, server.metadata] { try AtomicFile.removeLeftovers(of: file) }
    }
  }
}
