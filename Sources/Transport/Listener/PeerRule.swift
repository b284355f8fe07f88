internal import Glibc
internal import Platform

/// Whose connections a server takes.
package enum PeerRule: Equatable, Sendable {
  /// Everybody's who can reach the socket: all that TCP knows.
  case anyone
  /// Those of processes of this user alone (unix(7)): neither another user's, nor root's. TCP connections are nobody's.
  case user(UInt32)

  /// Those of the (effective) user of this process.
  package static var sameUser: PeerRule { .user(geteuid()) }

  func admits(_ peer: PeerCredentials?) -> Bool {
    switch self {
    case .anyone: true
    case .user(let user): peer?.userID == user
    }
  }
}
