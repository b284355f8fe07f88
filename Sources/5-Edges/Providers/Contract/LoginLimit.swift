package import Time

/// A lifetime after which a provider ends some logins without giving a reason.
package struct LoginLimit: Sendable, Hashable {
  /// The time from the login to its end.
  package let life: Duration
  /// A sentence for the user with the reason and what to do.
  package let reason: String

  /// Returns the reason if this limit can have ended a login: the limit is reached, and no token was issued after it.
  /// - Parameters:
  ///   - login: the time of the login.
  ///   - lastIssue: the time when the login's last token was issued.
  ///   - end: the time when the provider refused to issue another token.
  package func explanation(ofLoginAt login: Timestamp, lastIssue: Timestamp, end: Timestamp) -> String? {
    end - login >= life - Self.tolerance && lastIssue - login <= life + Self.tolerance ? reason : nil
  }

  /// The maximum expected difference between this machine's clock and the provider's.
  private static let tolerance = Duration.seconds(600)
}
