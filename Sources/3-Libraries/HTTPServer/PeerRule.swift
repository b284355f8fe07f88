internal import Glibc
internal import Platform

/// The rule that determines which peers may connect to a server.
package enum PeerRule: Equatable, Sendable {
  /// Every peer that can reach the socket.
  case anyone
  /// Only processes of this user (unix(7)); root is not included. TCP connections are always refused.
  case user(UInt32)
  /// For TCP: processes of this user or of root on this machine, as reported by the kernel when the connection is accepted. Other users'
  /// requests receive 403. A connection is closed if the kernel no longer knows its peer socket's user, because that may be another user.
  /// If the kernel cannot report owners, all peers are accepted.
  case userOverTCP(UInt32)

  /// The rule for Unix sockets that accepts only processes of this process's effective user.
  package static var sameUser: PeerRule { .user(geteuid()) }

  /// The rule for TCP that accepts only processes of this process's effective user and of root.
  package static var sameUserOverTCP: PeerRule { .userOverTCP(geteuid()) }

  /// The decision about one connection.
  enum Admission: Equatable {
    case accepted
    /// The connection is closed before anything is read, because the peer is another user, or its user cannot be determined (nil).
    case closed(PeerCredentials?)
    /// The peer is another user, and each of its requests receives 403.
    case forbidden(UInt32)
    /// The connection is closed, because the kernel no longer knows the user of the peer socket.
    case ownerless
  }

  /// Decides whether to admit a connection that has just been accepted.
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
