/// A finding about its peers that a server with `PeerRule.userOverTCP` reports.
package enum TCPPeerFinding: Equatable, Sendable {
  /// A connection belongs to another user. In a user namespace, all unmapped users have the same user id.
  case otherUser(UInt32)
  /// The kernel no longer knew the user of the peer socket when it was queried.
  case noOwner
  /// The kernel cannot be queried, so every connection is accepted (`PeerRule.UnknownOwners`). This is reported only once, when the server starts.
  case cannotBeAsked
}
