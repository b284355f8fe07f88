internal import Glibc
internal import Platform

/// Which peers may connect to a server.
package enum PeerRule: Equatable, Sendable {
  /// Every peer that can reach the socket.
  case anyone
  /// Only processes of this user (unix(7)); root is not included. TCP connections are always rejected.
  case user(UInt32)
  /// For TCP: processes of this user or of root on this machine, as reported by the kernel when the connection is accepted. Other
  /// users' requests are answered with 403. A connection whose peer socket no longer has an owner is closed, because it may have
  /// belonged to another user. If the kernel cannot report owners, all peers are accepted.
  case userOverTCP(UInt32)

  /// The rule for Unix sockets that accepts only processes of this process's effective user.
  package static var sameUser: PeerRule { .user(geteuid()) }

  /// The rule for TCP that accepts only processes of this process's effective user and of root.
  package static var sameUserOverTCP: PeerRule { .userOverTCP(geteuid()) }

  /// The decision about one connection.
  enum Admission: Equatable {
    case accepted
    /// Closed before anything is read: the peer is another user, or cannot be determined (nil).
    case closed(PeerCredentials?)
    /// The peer is another user, and each of its requests is answered with 403.
    case forbidden(UInt32)
    /// Closed: the peer socket no longer has an owner.
    case ownerless
  }

  /// Decides about a connection when it is accepted.
  func admission(of connection: Int32, by owners: PeerOwners?) -> Admission {
    switch self {
    case .anyone: return .accepted
    case .user(let user):
      let peer = PeerCredentials(of: connection)
      return peer?.userID == user ? .accepted : .closed(peer)
    case .userOverTCP(let user):
      switch owners?.owner(ofPeerOf: connection) ?? .unknown {
      case .unknown, .user(user), .user(0): return .accepted
      case .user(let other): return .forbidden(other)
      case .nobody: return .ownerless
      }
    }
  }
}

/// What a server with `PeerRule.userOverTCP` found out about its peers.
package enum TCPPeerFinding: Equatable, Sendable {
  /// A connection belongs to another user. In a user namespace, all unmapped users have the same number.
  case otherUser(UInt32)
  /// The peer socket no longer had an owner when the kernel was queried.
  case noOwner
  /// The kernel cannot be queried, so every connection is accepted. Reported once, when the server starts.
  case cannotBeAsked
}
