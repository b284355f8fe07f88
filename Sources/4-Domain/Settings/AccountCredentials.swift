/// The keys that an account's requests use.
package enum AccountCredentials: Sendable, Hashable {
  /// The provider is part of this program and issues its own keys.
  case builtIn
  /// OAuth 1.0a: the consumer key, and the source of its secret.
  case oauth1(consumerKey: String, consumerSecret: SecretSource)
  /// OAuth 2.0: the client's identifier, and the source of its secret; `nil` for a public client (RFC 6749 §2.1).
  case oauth2(clientID: String, clientSecret: SecretSource?)
  /// OAuth 2.0 with a client that the program registers automatically.
  case selfRegistered

  /// The key whose secret is written in the configuration itself; nil if the secret is stored elsewhere, or if there is none.
  package var keyOfSecretInFile: String? {
    switch self {
    case .oauth1(_, .literal): "consumer_secret"
    case .oauth2(_, .literal?): "client_secret"
    case .oauth1, .oauth2, .builtIn, .selfRegistered: nil
    }
  }

  package var scheme: AuthorizationScheme {
    switch self {
    case .builtIn: .builtIn
    case .oauth1: .oauth1
    case .oauth2: .oauth2
    case .selfRegistered: .selfRegistered
    }
  }
}
