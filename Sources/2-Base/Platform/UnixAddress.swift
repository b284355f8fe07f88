/// A Unix socket's address (unix(7)).
package enum UnixAddress {
  /// The longest path that fits into `sockaddr_un` with a terminating zero, in bytes.
  package static let longestPath = 107

  /// Returns whether a socket can have this path.
  package static func fits(_ path: String) -> Bool {
    !path.isEmpty && path.utf8.count <= longestPath && !path.utf8.contains(0)
  }
}
