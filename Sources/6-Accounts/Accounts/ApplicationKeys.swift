package import Bytes
package import HomelineOAuth

/// The keys that identify this program to a provider.
package enum ApplicationKeys: Sendable, Hashable {
  /// A consumer key and its secret (RFC 5849 §1.1).
  case oauth1(ClientCredentials)
  /// A client ID, with a secret unless the client is public (RFC 6749 §2.1).
  case oauth2(id: String, secret: Secret?)
  /// No keys: the program registers itself with the server.
  case selfRegistered
}
