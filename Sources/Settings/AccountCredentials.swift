/// By which keys a provider knows this program.
package enum AccountCredentials: Sendable, Hashable {
  /// The provider is part of this program and hands out its own keys.
  case builtIn
  /// OAuth 1.0a: the consumer key, and where its secret comes from.
  case oauth1(consumerKey: String, consumerSecret: SecretSource)
  /// OAuth 2.0: the client's id, and where its secret comes from if it has one.
  case oauth2(clientID: String, clientSecret: SecretSource?)
  /// OAuth 2.0, at a server where this program registers itself.
  case selfRegistered
}
