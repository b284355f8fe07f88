package import HomelineOAuth

/// By which keys a provider knows this program.
package enum ApplicationKeys: Sendable, Hashable {
  /// A consumer key and its secret (RFC 5849 §1.1).
  case oauth1(ClientCredentials)
  /// A client's id; without a secret it is a public client (RFC 6749 §2.1).
  case oauth2(id: String, secret: Secret?)
  /// It registers itself at the server.
  case selfRegistered
}

/// The application's keys of an account, or why its secret cannot be had. Asked for when first needed, since a password manager
/// may take its time, and kept from then on; one that could not be had is asked for again. Belongs to the account's queue.
package final class ClientKeys {
  private let resolve: () throws(Failure) -> ApplicationKeys
  private var known: ApplicationKeys?
  /// What signed last.
  private var signer: Signer?

  package init(_ resolve: @escaping () throws(Failure) -> ApplicationKeys) { self.resolve = resolve }

  package func get() throws(Failure) -> ApplicationKeys {
    if let known { return known }
    let keys = try resolve()
    known = keys
    return keys
  }

  /// The secret among them, as far as they were asked for.
  var knownSecrets: [Secret] {
    switch known {
    case .oauth1(let credentials): [credentials.secret]
    case .oauth2(_, let secret): [secret].compactMap(\.self)
    case .selfRegistered, nil: []
    }
  }

  /// Those of OAuth 1.0a.
  func consumer() throws(Failure) -> ClientCredentials {
    guard case .oauth1(let credentials) = try get() else {
      throw Failure(.configuration, "the account has no consumer key; it takes consumer_key and consumer_secret")
    }
    return credentials
  }

  /// What signs with a token: the same as the last time while it is the same token, since a signer keeps its key worked into the hash.
  func signer(of token: TokenCredentials, method: SignatureMethod) throws(Failure) -> Signer {
    let client = try consumer()
    if let signer, signer.client == client, signer.token == .token(token), signer.method == method { return signer }
    let signer = Signer(client: client, token: .token(token), method: method)
    self.signer = signer
    return signer
  }
}
