package import Dispatch
package import HomelineOAuth
internal import Platform

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
  private let resolve: @Sendable () throws(Failure) -> ApplicationKeys
  /// Where that is waited for; `nil` where it takes no time.
  private let apart: DispatchQueue?
  private var known: ApplicationKeys?
  /// Why they could not be had when they were looked up last; told once.
  private var failure: Failure?
  /// What signed last.
  private var signer: Signer?

  package convenience init(_ resolve: @escaping @Sendable () throws(Failure) -> ApplicationKeys) {
    self.init(apart: nil, resolve)
  }

  /// - Parameter apart: a queue on which `resolve` may wait.
  package init(apart: DispatchQueue?, _ resolve: @escaping @Sendable () throws(Failure) -> ApplicationKeys) {
    self.apart = apart
    self.resolve = resolve
  }

  /// Looks the keys up beside the account's queue, so that the next ``get()`` does not wait for a password manager.
  /// - Parameters:
  ///   - queue: the account's.
  ///   - then: called on it; at once where there is nothing to be waited for.
  func prepare(on queue: DispatchQueue, then: @escaping () -> Void) {
    guard known == nil, let apart else { return then() }
    let keys = QueueConfined(self)
    let then = QueueConfined(then)
    apart.async { [resolve] in
      let outcome = Result { () throws(Failure) in try resolve() }
      queue.async {
        keys.value.keep(outcome)
        then.value()
      }
    }
  }

  private func keep(_ outcome: Result<ApplicationKeys, Failure>) {
    switch outcome {
    case .success(let keys): known = keys
    case .failure(let failure): self.failure = failure
    }
  }

  /// - Throws: why they cannot be had just now.
  package func get() throws(Failure) -> ApplicationKeys {
    if let known { return known }
    if let failure = failure.take() { throw failure }
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
  package func consumer() throws(Failure) -> ClientCredentials {
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
