internal import HTTPServer
internal import Platform

/// The log messages about connections to the callback address that may come from other users. Each kind is logged at most once per
/// login.
struct CallbackPeerNotes {
  private var hasReportedOtherUser = false
  private var hasReportedUnknownOwner = false
  /// Whether the log contains the message that the kernel cannot report users. This is never reset, so the message is logged once per
  /// process.
  private var hasReportedSilence = false

  /// Allows the messages that are logged once per login to be logged again.
  mutating func loginBegan() { (hasReportedOtherUser, hasReportedUnknownOwner) = (false, false) }

  /// Returns the level and the message to log for a finding; nil if the message has already been logged.
  mutating func sentence(for finding: TCPPeerFinding) -> (Log.Level, String)? {
    switch finding {
    case .otherUser(let user):
      guard !hasReportedOtherUser else { return nil }
      hasReportedOtherUser = true
      return (
        .warning,
        "a process of the user \(user) called the callback address and received 403; pending logins continue. If your "
          + "own browser connects through that user's program, paste the address that it shows into the terminal of homeline login"
      )
    case .noOwner:
      guard !hasReportedUnknownOwner else { return nil }
      hasReportedUnknownOwner = true
      return (
        .info,
        "a connection to the callback address was closed before the kernel could tell which user opened it, so it was ignored"
      )
    case .cannotBeAsked:
      guard !hasReportedSilence else { return nil }
      hasReportedSilence = true
      return (
        .warning,
        "the kernel cannot tell which user opens a connection to the callback address (neither sock_diag(7) nor /proc/self/net works), "
          + "so other users of this machine can connect too. If there are any, check the user name shown at the end of a login"
      )
    }
  }
}
