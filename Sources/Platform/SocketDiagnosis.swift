internal import CLinux
internal import Glibc

/// Questions to the kernel about single TCP sockets (`NETLINK_SOCK_DIAG`, sock_diag(7)). A question and its answer take a few microseconds,
/// however many sockets there are.
package final class SocketDiagnosis: Sendable {
  private let socket: Descriptor
  private let questions = Locked<UInt32>(0)

  /// - Throws: where this process may have no netlink sockets, or the kernel has none.
  package init() throws(SystemError) { socket = Descriptor(owning: try check("socket") { clinux_sock_diag() }) }

  /// Takes over a socket of that kind that somebody else has opened. Users are named as in the namespace of whoever that was
  /// (user_namespaces(7)), which may know more of them than this process's.
  /// - Returns: nil for any other descriptor, which is closed.
  package init?(owning number: Int32) {
    socket = Descriptor(owning: number)
    guard clinux_is_sock_diag(number) != 0 else { return nil }
    // What a process before this one has asked there, and did not live to read.
    clinux_sock_diag_forget(number)
  }

  /// The socket at one end of a connection; without such a connection one that listens at that address.
  /// - Returns: nil where there is no such socket.
  /// - Throws: where the kernel does not answer. One that cannot answer at all says that there is no such socket.
  func owner(of own: TCPAddress, to peer: TCPAddress) throws(SystemError) -> SocketOwner? {
    var found = clinux_tcp_socket()
    do throws(SystemError) {
      let (diagnosis, family) = (socket.number, own.family == .v4 ? AF_INET : AF_INET6)
      let (from, to) = (own.padded, peer.padded)
      // One question at a time, so that each gets its own answer.
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

extension TCPAddress {
  /// 16 bytes in any case.
  fileprivate var padded: [UInt8] { bytes + [UInt8](repeating: 0, count: 16 - bytes.count) }
}
