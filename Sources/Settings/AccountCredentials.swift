/// With which keys an account's requests are signed.
package enum AccountCredentials: Sendable, Hashable {
  /// The provider is part of this program and hands out its own keys.
  case builtIn
  /// OAuth 1.0a: the consumer key, and where its secret comes from.
  case oauth1(consumerKey: String, consumerSecret: SecretSource)
}
