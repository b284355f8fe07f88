internal import Glibc
internal import Platform

/// Whose connections a server takes.
package enum PeerRule: Equatable, Sendable {
  /// Everybody's who can reach the socket: all that TCP knows.
  case anyone
  /// Those of processes of this user alone (unix(7)): neither another user's, nor root's. TCP connections are nobody's.
  case user(UInt32)
  /// On TCP those whose other end, on this machine, belongs to a process of this user or of root, as the kernel says when the connection is
  /// accepted. Requests of other users are answered with 403. A connection whose other end belongs to nobody any more is closed: it may have
  /// been anybody's, and nobody waits for an answer. Where the kernel cannot be asked, everybody's are taken.
  case userOverTCP(UInt32)

  /// Those of the (effective) user of this process.
  package static var sameUser: PeerRule { .user(geteuid()) }

  /// The same over TCP.
  package static var sameUserOverTCP: PeerRule { .userOverTCP(geteuid()) }

  /// What becomes of a connection.
  enum Admission: Equatable {
    case taken
    /// Closed before anything is read: it is this process's, or one that nobody can name.
    case closed(PeerCredentials?)
    /// Each of its requests is refused: it is this user's.
    case forbidden(UInt32)
    /// Closed: its other end is nobody's any more.
    case ownerless
  }

  /// Judges a connection at the moment that it is accepted.
  func judge(_ connection: Int32, by owners: PeerOwners?) -> Admission {
    switch self {
    case .anyone: return .taken
    case .user(let user):
      let peer = PeerCredentials(of: connection)
      return peer?.userID == user ? .taken : .closed(peer)
    case .userOverTCP(let user):
      switch owners?.owner(ofPeerOf: connection) ?? .unknown {
      case .unknown, .user(user), .user(0): return .taken
      case .user(let other): return .forbidden(other)
      case .nobody: return .ownerless
      }
    }
  }
}

/// What a server with `PeerRule.userOverTCP` has found about the other ends of its connections.
package enum TCPPeerFinding: Equatable, Sendable {
  /// A connection is another user's; inside a user namespace all users that it does not know have one number.
  case otherUser(UInt32)
  /// The other end of a connection was nobody's any more when the kernel was asked.
  case noOwner
  /// The kernel cannot be asked: every connection is taken. Told once, when the server starts.
  case cannotBeAsked
}
