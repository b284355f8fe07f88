/// The user at the other end of a TCP connection on this machine.
package enum PeerOwner: Equatable, Sendable {
  /// The socket at the other end is open and was created by this user.
  case user(UInt32)
  /// No process has the socket at the other end open any more.
  case nobody
  /// The kernel cannot be queried.
  case unknown
}
