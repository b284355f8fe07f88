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
  case userOverTCP(UInt32, unknown: UnknownOwners)

  /// What happens if the kernel cannot report the owners of TCP connections at all.
  package enum UnknownOwners: Equatable, Sendable {
    /// All peers are accepted, as for a callback, which also has to contain the login's secret.
    case accepted
    /// The server does not start (`ListenError.ownersUnknown`).
    case refused
  }

  /// The rule for Unix sockets that accepts only processes of this process's effective user.
  package static var sameUser: PeerRule { .user(geteuid()) }

  /// The rule for TCP that accepts only processes of this process's effective user and of root.
  package static func sameUserOverTCP(unknown: UnknownOwners) -> PeerRule { .userOverTCP(geteuid(), unknown: unknown) }

  /// The decision about one connection.
  enum Admission: Equatable {
    /// The peer is this user; nil if the rule does not depend on it or the kernel cannot report it.
    case accepted(UInt32?)
    /// The connection is closed before anything is read, because the peer is another user, or its user cannot be determined (nil).
    case closed(PeerCredentials?)
    /// The peer is another user, and each of its requests receives 403.
    case forbidden(UInt32)
    /// The connection is closed, because the kernel does not know the user of the peer socket.
    case ownerless
  }

  /// Decides whether to admit a connection that has just been accepted.
  func admission(of connection: Int32, by owners: PeerOwners?) -> Admission {
    switch self {
    case .anyone: return .accepted(nil)
    case .user(let user):
      let peer = PeerCredentials(of: connection)
      return peer?.userID == user ? .accepted(user) : .closed(peer)
    case .userOverTCP(let user, let unknown):
      switch owners?.owner(ofPeerOf: connection) ?? .unknown {
      case .user(let peer): return peer == user || peer == 0 ? .accepted(peer) : .forbidden(peer)
      case .unknown: return unknown == .accepted ? .accepted(nil) : .ownerless
      case .nobody: return .ownerless
      }
    }
  }
}
