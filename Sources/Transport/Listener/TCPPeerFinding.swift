/// What a server with `PeerRule.userOverTCP` has found about the other ends of its connections.
package enum TCPPeerFinding: Equatable, Sendable {
  /// A connection is another user's; inside a user namespace all users that it does not know have one number.
  case otherUser(UInt32)
  /// The other end of a connection was nobody's any more when the kernel was asked.
  case noOwner
  /// The kernel cannot be asked: every connection is taken. Told once, when the server starts.
  case cannotBeAsked
}
