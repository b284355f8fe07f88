internal import CLinux
internal import Glibc

extension SocketDiagnosis {
  /// Returns whether the lookup finds all of these listening sockets and, if a user is given, reports this user as their owner.
  func knows(_ listeners: [TCPAddress], of user: UInt32? = nil) -> Bool {
    !listeners.isEmpty
      && listeners.allSatisfy { listener in
        guard let found = try? owner(of: listener, to: .unspecified(listener.family)) else { return false }
        return found.listens && (user == nil || found.userID == user)
      }
  }
}

/// Kernel queries about individual TCP sockets (`NETLINK_SOCK_DIAG`, sock_diag(7)). A query takes a few microseconds, regardless of the
/// number of sockets.
package final class SocketDiagnosis: Sendable {
  private let socket: Descriptor
  private let questions = Locked<UInt32>(0)

  /// - Throws: if this process may not open netlink sockets, or the kernel has none.
  init() throws(SystemError) { socket = Descriptor(owning: try check("socket") { clinux_sock_diag() }) }

  /// Takes ownership of a sock_diag socket that another process opened. User ids are those of the other process's user namespace
  /// (user_namespaces(7)), which may map more users than this one's.
  /// - Returns: nil for any other descriptor, which is closed.
  package init?(owning number: Int32) {
    socket = Descriptor(owning: number)
    guard clinux_is_sock_diag(number) != 0 else { return nil }
    // This discards responses to the queries of an earlier process that exited before reading them.
    clinux_sock_diag_forget(number)
  }

  /// Returns the socket at one end of a connection; if there is no such connection, the socket listening on that address.
  /// - Returns: nil if there is no such socket.
  /// - Throws: if the kernel does not respond. A kernel without support reports that there is no such socket.
  func owner(of own: TCPAddress, to peer: TCPAddress) throws(SystemError) -> SocketOwner? {
    var found = clinux_tcp_socket()
    do throws(SystemError) {
      let (diagnosis, family) = (socket.number, own.family == .v4 ? AF_INET : AF_INET6)
      let (from, to) = (own.padded, peer.padded)
      // One query at a time, so that each receives its own response.
      try questions.withLock { number throws(SystemError) in
        number &+= 1
        let question = number
        try check("sock_diag") {
          unsafe clinux_sock_diag_tcp(diagnosis, question, family, from, own.port, to, peer.port, &found)
        }
      }
    } catch {
      if error.isNoEntry { return nil }
      throw error
    }
    return SocketOwner(userID: found.user, inode: found.inode, listens: found.listens != 0)
  }
}
