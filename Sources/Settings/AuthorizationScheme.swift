/// How an account comes to its token.
package enum AuthorizationScheme: Sendable, Hashable {
  /// The provider is part of this program and hands out its own keys.
  case builtIn
  /// OAuth 1.0a (RFC 5849) with a registered consumer.
  case oauth1
  /// OAuth 2.0 (RFC 6749) with a registered client.
  case oauth2
  /// OAuth 2.0 with a client that the program registers at the server by itself.
  case selfRegistered

  /// The protocol's name in messages.
  package var protocolName: String { self == .oauth2 || self == .selfRegistered ? "OAuth 2.0" : "OAuth 1.0a" }
}
