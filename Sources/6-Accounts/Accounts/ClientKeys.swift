internal import Bytes
package import Dispatch
package import HomelineOAuth
internal import Platform

/// An account's application keys, or the reason the secret is not available. The keys are looked up when first needed, because a password
/// manager may be slow, and are then kept. A failed lookup is retried. Belongs to the account's queue.
package final class ClientKeys {
  private let resolve: @Sendable () throws(OperationError) -> ApplicationKeys
  /// The queue that waits for the lookup; `nil` if the lookup takes no time.
  private let apart: DispatchQueue?
  private var known: ApplicationKeys?
  /// The reason the last lookup failed, which is reported only once.
  private var failure: OperationError?
  /// The signer that was used last.
  private var signer: Signer?

  package convenience init(_ resolve: @escaping @Sendable () throws(OperationError) -> ApplicationKeys) {
    self.init(apart: nil, resolve)
  }

  /// - Parameter apart: a queue that `resolve` may wait on.
  package init(apart: DispatchQueue?, _ resolve: @escaping @Sendable () throws(OperationError) -> ApplicationKeys) {
    self.apart = apart
    self.resolve = resolve
  }

  /// Looks up the keys outside the account's queue, so that the next ``get()`` does not wait for a password manager.
  /// - Parameters:
  ///   - queue: the account's queue.
  ///   - then: called on the account's queue; immediately if there is nothing to wait for.
  func prepare(on queue: DispatchQueue, then: @escaping () -> Void) {
    guard known == nil, let apart else { return then() }
    let keys = QueueConfined(self)
    let then = QueueConfined(then)
    apart.async { [resolve] in
      let outcome = Result { () throws(OperationError) in try resolve() }
      queue.async {
        keys.value.keep(outcome)
        then.value()
      }
    }
  }

  private func keep(_ outcome: Result<ApplicationKeys, OperationError>) {
    switch outcome {
    case .success(let keys): known = keys
    case .failure(let failure): self.failure = failure
    }
  }

  /// Provides the keys.
  /// - Throws: an error if the keys are not available now.
  package func get() throws(OperationError) -> ApplicationKeys {
    if let known { return known }
    if let failure = failure.take() { throw failure }
    let keys = try resolve()
    known = keys
    return keys
  }

  /// The secret in the keys, if they have been looked up and contain one.
  var knownSecrets: [Secret] {
    switch known {
    case .oauth1(let credentials): [credentials.secret]
    case .oauth2(_, let secret): [secret].compactMap(\.self)
    case .selfRegistered, nil: []
    }
  }

  /// Returns the keys for OAuth 1.0a.
  package func consumer() throws(OperationError) -> ClientCredentials {
    guard case .oauth1(let credentials) = try get() else {
      throw OperationError(.configuration, "the account has no consumer key; set consumer_key and consumer_secret")
    }
    return credentials
  }

  /// Returns the signer for a token. The signer is reused as long as the token is the same, because it has already hashed its key.
  func signer(of token: TokenCredentials, method: SignatureMethod) throws(OperationError) -> Signer {
    let client = try consumer()
    if let signer, signer.client == client, signer.token == .token(token), signer.method == method { return signer }
    let signer = Signer(client: client, token: .token(token), method: method)
    self.signer = signer
    return signer
  }
}
