/// What a server shows of the timelines of a kind if its administrators have restricted them.
package enum FeedAccess: String, Sendable, Hashable, CaseIterable {
  /// They are switched off. The server sends them without posts, and not as an error.
  case off
  /// They contain only the posts of the server's own users.
  case localOnly = "local-only"
  /// They contain only the posts of other servers' users.
  case remoteOnly = "remote-only"

  /// - Parameters:
  ///   - isLocalOff: whether the server leaves out the posts of its own users.
  ///   - isRemoteOff: whether it leaves out those of other servers' users.
  /// - Returns: `nil` if it shows both.
  package init?(isLocalOff: Bool, isRemoteOff: Bool) {
    switch (isLocalOff, isRemoteOff) {
    case (true, true): self = .off
    case (false, true): self = .localOnly
    case (true, false): self = .remoteOnly
    case (false, false): return nil
    }
  }
}
