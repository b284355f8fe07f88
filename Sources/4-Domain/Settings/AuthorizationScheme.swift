package import OAuthValues

/// A way for an account to obtain its token.
package enum AuthorizationScheme: Sendable, Hashable {
  /// The provider is part of this program and issues its own keys.
  case builtIn
  /// OAuth 1.0a (RFC 5849) with a registered consumer.
  case oauth1
  /// OAuth 2.0 (RFC 6749) with a registered client.
  case oauth2
  /// OAuth 2.0 with a client that the program registers automatically.
  case selfRegistered

  /// The version of OAuth.
  package var version: OAuthVersion {
    switch self {
    case .builtIn, .oauth1: .oauth1
    case .oauth2, .selfRegistered: .oauth2
    }
  }
}
