internal import Glibc

/// Whose process is at the other end of a TCP connection within this machine.
package enum PeerOwner: Equatable, Sendable {
  /// The socket there is open, and this user has made it.
  case user(UInt32)
  /// No process has the socket there open any more.
  case nobody
  /// The kernel cannot be asked.
  case unknown
}

/// Asks the kernel whose process is at the other end of each connection that a server accepts.
///
/// Of TCP connections the kernel keeps no credentials as for Unix sockets, but it knows who made the other end's socket. Which way of asking
/// works is found out once, by the listening sockets, which are there for certain: later "no such socket" means just that.
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
