package import CivilTime

/// What the server said when it last refused to renew a token. It is stored beside the token, so that every process knows it, and is gone
/// with the next renewal or login.
package struct RenewalRefusal: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The refresh token is dead: it is not sent again.
    case final
    /// The server refused without a reason that is known. It may mean anything, and is tried again.
    case unexplained
    /// The same twice in a row.
    case repeated
  }

  package let kind: Kind
  /// The server's words, without secrets.
  package let words: String
  package let at: Timestamp

  package init(_ kind: Kind, _ words: String, at: Timestamp) {
    self.kind = kind
    self.words = words
    self.at = at
  }
}
