internal import CLinux
internal import Glibc

/// The owner of the other end of a TCP connection within this machine.
package enum PeerOwner: Equatable, Sendable {
  /// The socket there is open, and this user has made it.
  case user(UInt32)
  /// No process has the socket there open any more.
  case nobody
  /// The kernel cannot be asked.
  case unknown
}

/// Asks the kernel for the owner of the other end of each accepted connection.
///
/// The kernel stores no credentials for TCP connections, but it knows the owner of each socket. The working way to ask
/// is determined once with the listening sockets, which certainly exist, so that a later "no such socket" can be
/// trusted.
package final class PeerOwners: Sendable {
  /// How the kernel is asked.
  package enum Way: Sendable, CaseIterable {
    /// sock_diag(7)
    case diagnosis
    /// `/proc/self/net/tcp` and `tcp6` (proc(5))
    case tables
  }

  private let diagnosis: SocketDiagnosis?
  /// nil where the kernel cannot be asked.
  package let way: Way?

  /// - Parameters:
  ///   - listeners: TCP sockets that listen and belong to this process.
  ///   - handed: a socket for such questions that was opened elsewhere. It is preferred where it names this user as this process does.
  ///   - ways: what is tried, in the order of ``Way``.
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

  /// Who made the socket at the other end of an accepted connection.
  package func owner(ofPeerOf connection: Int32) -> PeerOwner {
    guard let way else { return .unknown }
    // The kernel forgets the peer of a connection that was reset, and what came over it can be read nevertheless.
    guard let own = TCPAddress.own(of: connection), let peer = TCPAddress.peer(of: connection) else { return .nobody }
    let owner: SocketOwner?
    do throws(SystemError) {
      switch way {
      case .diagnosis: owner = try diagnosis?.owner(of: peer, to: own)
      case .tables: owner = try SocketTable.owner(of: peer, to: own)
      }
    } catch {
      // It could be asked, and can again: a connection more or less does not matter, but a stranger let in would.
      return .nobody
    }
    guard let owner, !owner.listens, owner.inode != 0 else { return .nobody }
    return .user(owner.userID)
  }
}

extension SocketDiagnosis {
  /// Whether it can be asked: it knows all of these, which listen, and whose they are if that is to be this user.
  fileprivate func knows(_ listeners: [TCPAddress], of user: UInt32? = nil) -> Bool {
    !listeners.isEmpty
      && listeners.allSatisfy { listener in
        guard let found = try? owner(of: listener, to: .unspecified(listener.family)) else { return false }
        return found.listens && (user == nil || found.userID == user)
      }
  }
}

extension SocketTable {
  /// Whether they can be read: all of these are in them.
  fileprivate static func knows(_ listeners: [TCPAddress]) -> Bool {
    !listeners.isEmpty
      && listeners.allSatisfy { (try? owner(of: $0, to: .unspecified($0.family)))??.listens == true }
  }
}

/// Questions to the kernel about single TCP sockets (`NETLINK_SOCK_DIAG`, sock_diag(7)). A question and its answer take a few microseconds,
/// however many sockets there are.
package final class SocketDiagnosis: Sendable {
  private let socket: Descriptor
  private let questions = Locked<UInt32>(0)

  /// - Throws: where this process may have no netlink sockets, or the kernel has none.
  init() throws(SystemError) { socket = Descriptor(owning: try check("socket") { clinux_sock_diag() }) }

  /// Takes over a sock_diag socket that another process opened. User ids are those of the other process's user
  /// namespace (user_namespaces(7)), which may map more users than ours.
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

/// What this process's user namespace shows of users (user_namespaces(7)).
enum UserNamespace {
  /// What `/proc/sys/kernel/overflowuid` says where nobody has changed it.
  private static let usualOverflow: UInt32 = 65534

  /// Whether this user id identifies one user. All users that a namespace does not map share the id of the overflow
  /// user, so a process with that id cannot tell them from itself.
  static func tellsOthersApart(from user: UInt32) -> Bool {
    let overflow = number(in: "/proc/sys/kernel/overflowuid") ?? usualOverflow
    return user != overflow || mapsEveryUser
  }

  /// Whether it is the initial namespace, or like it.
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

/// Who connected to a Unix socket, as the kernel saw it at that moment (`SO_PEERCRED`, unix(7)).
package struct PeerCredentials: Equatable, Sendable, CustomStringConvertible {
  let processID: Int32
  /// The effective user.
  package let userID: UInt32

  /// Reads them from a connected socket; nil where there are none, as on TCP.
  package init?(of number: Int32) {
    // `struct ucred` is three 32-bit numbers; Swift's Glibc module does not show it.
    var fields: [UInt32] = [0, 0, 0]
    var length = socklen_t(fields.count * MemoryLayout<UInt32>.size)
    let answer = unsafe fields.withUnsafeMutableBytes {
      unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, $0.baseAddress, &length)
    }
    // For sockets of other families the kernel answers with process 0 and the user -1.
    guard answer == 0, fields[1] != UInt32.max else { return nil }
    processID = Int32(bitPattern: fields[0])
    userID = fields[1]
  }

  package var description: String { "process \(processID) of the user \(userID)" }
}
