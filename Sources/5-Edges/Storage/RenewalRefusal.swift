package import Time

/// The server's last refusal to renew a token. It is stored with the token until the next renewal or login, so that all processes know of
/// it.
package struct RenewalRefusal: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The refresh token is invalid and is not sent again.
    case final
    /// The server gave no known reason. The renewal is attempted again.
    case unexplained
    /// The server refused without a known reason for the second time in a row.
    case repeated
  }

  package let kind: Kind
  /// The server's message, without secrets.
  package let message: String
  package let at: Timestamp

  package init(_ kind: Kind, _ message: String, at: Timestamp) {
    self.kind = kind
    self.message = message
    self.at = at
  }
}
