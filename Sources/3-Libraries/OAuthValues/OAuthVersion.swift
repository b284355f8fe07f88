/// A version of OAuth.
package enum OAuthVersion: Sendable, Hashable, CaseIterable {
  /// OAuth 1.0a (RFC 5849).
  case oauth1
  /// OAuth 2.0 (RFC 6749).
  case oauth2

  /// The version's name in messages.
  package var name: String {
    switch self {
    case .oauth1: "OAuth 1.0a"
    case .oauth2: "OAuth 2.0"
    }
  }
}
