internal import CLinux
internal import Glibc

/// The user at the other end of a TCP connection on this machine.
package enum PeerOwner: Equatable, Sendable {
  /// The socket at the other end is open and was created by this user.
  case user(UInt32)
  /// No process has the socket at the other end open any more.
  case nobody
  /// The kernel cannot be queried.
  case unknown
}

/// Asks the kernel for the user at the other end of each accepted connection.
///
/// The kernel stores no credentials for TCP connections, but it knows the user who created each socket. The lookup method is chosen once,
/// by looking up the listening sockets. They certainly exist, so a later "no such socket" can be trusted.
package final class PeerOwners: Sendable {
  /// How the kernel is queried.
  package enum Way: Sendable, CaseIterable {
    /// sock_diag(7)
    case diagnosis
    /// `/proc/self/net/tcp` and `tcp6` (proc(5))
    case tables
  }

  private let diagnosis: SocketDiagnosis?
  /// The method for querying the kernel; nil if the kernel cannot be queried.
  package let way: Way?

  /// - Parameters:
  ///   - listeners: this process's listening TCP sockets.
  ///   - handed: a socket for such queries, opened by another process. It is preferred if it reports this user under the id that this
  ///     process has.
  ///   - ways: the methods to try, in the order of ``Way``.
  package init(listeners: [Int32], handed: SocketDiagnosis? = nil, ways: Set<Way> = Set(Way.allCases)) {
    let addresses = listeners.compactMap { TCPAddress.own(of: $0) }
    if ways.contains(.diagnosis), let handed, handed.knows(addresses, of: geteuid()) {
      diagnosis = handed
      way = .diagnosis
    } else if !UserNamespace.tellsOthersApart(from: geteuid()) {
      diagnosis = nil
      way = nil
    } else if ways.contains(.diagnosis), let own = try? SocketDiagnosis(), own.knows(addresses) {
      diagnosis = own
      way = .diagnosis
    } else {
      diagnosis = nil
      way = ways.contains(.tables) && SocketTable.knows(addresses) ? .tables : nil
    }
  }

  /// Returns the user who created the socket at the other end of an accepted connection.
  package func owner(ofPeerOf connection: Int32) -> PeerOwner {
    guard let way else { return .unknown }
    // The kernel forgets the peer of a connection that was reset, but the data received over it can still be read.
    guard let own = TCPAddress.own(of: connection), let peer = TCPAddress.peer(of: connection) else { return .nobody }
    let owner: SocketOwner?
    do throws(SystemError) {
      switch way {
      case .diagnosis: owner = try diagnosis?.owner(of: peer, to: own)
      case .tables: owner = try SocketTable.owner(of: peer, to: own)
      }
    } catch {
      // This failure is temporary. Rejecting one connection does little harm; accepting another user's would do more.
      return .nobody
    }
    guard let owner, !owner.listens, owner.inode != 0 else { return .nobody }
    return .user(owner.userID)
  }
}

extension SocketDiagnosis {
  /// Returns whether the lookup finds all of these listening sockets and, if a user is given, reports this user as their owner.
  fileprivate func knows(_ listeners: [TCPAddress], of user: UInt32? = nil) -> Bool {
    !listeners.isEmpty
      && listeners.allSatisfy { listener in
        guard let found = try? owner(of: listener, to: .unspecified(listener.family)) else { return false }
        return found.listens && (user == nil || found.userID == user)
      }
  }
}

extension SocketTable {
  /// Returns whether the tables can be read and contain all of these listening sockets.
  fileprivate static func knows(_ listeners: [TCPAddress]) -> Bool {
    !listeners.isEmpty
      && listeners.allSatisfy { (try? owner(of: $0, to: .unspecified($0.family)))??.listens == true }
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

extension TCPAddress {
  /// The address, padded to 16 bytes.
  fileprivate var padded: [UInt8] { bytes + [UInt8](repeating: 0, count: 16 - bytes.count) }
}

/// The users that are visible in this process's user namespace (user_namespaces(7)).
enum UserNamespace {
  /// The default value of `/proc/sys/kernel/overflowuid`.
  private static let usualOverflow: UInt32 = 65534

  /// Returns whether this user id identifies a single user. All users that a namespace does not map share the overflow user's id, so a
  /// process with that id cannot distinguish them from itself.
  static func tellsOthersApart(from user: UInt32) -> Bool {
    let overflow = number(in: "/proc/sys/kernel/overflowuid") ?? usualOverflow
    return user != overflow || mapsEveryUser
  }

  /// Whether this namespace is the initial one, or equivalent to it.
  private static var mapsEveryUser: Bool {
    guard let map = try? File.read("/proc/self/uid_map", limit: 65536) else { return false }
    return map.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      .map { String(decoding: $0, as: UTF8.self) } == ["0", "0", "4294967295"]
  }

  private static func number(in file: String) -> UInt32? {
    guard let bytes = try? File.read(file, limit: 100) else { return nil }
    return UInt32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

/// The user who connected to a Unix socket, as the kernel recorded it at that moment (`SO_PEERCRED`, unix(7)).
package struct PeerCredentials: Equatable, Sendable, CustomStringConvertible {
  let processID: Int32
  /// The effective user.
  package let userID: UInt32

  /// Reads the credentials of a connected socket; nil if it has none, as with TCP.
  package init?(of number: Int32) {
    // `struct ucred` is three 32-bit numbers; Swift's Glibc module does not show it.
    var fields: [UInt32] = [0, 0, 0]
    var length = socklen_t(fields.count * MemoryLayout<UInt32>.size)
    let answer = unsafe fields.withUnsafeMutableBytes {
      unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, $0.baseAddress, &length)
    }
    // For sockets of other families, the kernel returns process 0 and user -1.
    guard answer == 0, fields[1] != UInt32.max else { return nil }
    processID = Int32(bitPattern: fields[0])
    userID = fields[1]
  }

  package var description: String { "process \(processID) of the user \(userID)" }
}
