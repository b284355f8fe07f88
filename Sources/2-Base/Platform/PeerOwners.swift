internal import Glibc

/// Asks the kernel for the user at the other end of each accepted connection.
///
/// The kernel stores no credentials for TCP connections, but it knows the user who created each socket. The lookup method is chosen once,
/// by looking up the listening sockets. They are certain to exist, so a later "no such socket" can be trusted.
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
  ///   - handed: a socket for such queries that another process opened. It is preferred if it reports this user under this process's user
  ///     id.
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
      // This failure is temporary. Refusing one connection does little harm; accepting another user's connection could do a lot.
      return .nobody
    }
    guard let owner, !owner.listens, owner.inode != 0 else { return .nobody }
    return .user(owner.userID)
  }
}

extension SocketTable {
  /// Returns whether the tables can be read and contain all of these listening sockets.
  fileprivate static func knows(_ listeners: [TCPAddress]) -> Bool {
    !listeners.isEmpty
      && listeners.allSatisfy { (try? owner(of: $0, to: .unspecified($0.family)))??.listens == true }
  }
}
