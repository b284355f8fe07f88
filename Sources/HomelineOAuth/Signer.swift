internal import Glibc

extension OAuth {
  /// Signs requests for one application and one token with one method (RFC 5849 §3).
  ///
  /// It keeps its key worked into the hash, and the memory that it signs in: make it once and keep it, and a signature costs the hash of
  /// its request and little more. Copies share both. It can be used from several threads, which then sign one after another.
  public struct Signer: Sendable, Hashable {
    /// Which application asks.
    public let client: ClientCredentials
    /// Which token it asks with.
    public let token: TokenRole
    /// How it signs.
    public let method: SignatureMethod
    /// The realm to name in the header, nil for none. It is not signed.
    public let realm: String?
    /// Whether `oauth_version=1.0` is sent; §3.1 lets it be left out, and then it is not signed either.
    public let sendsVersion: Bool

    private let own: ProtocolParameters
    private let maskedKey: String
    /// The realm as one line.
    private let realmLine: String?
    private let state: SigningState

    /// Sets everything that stays the same between requests.
    public init(
      client: ClientCredentials, token: TokenRole, method: SignatureMethod = .hmacSHA1,
      realm: String? = nil,
      sendsVersion: Bool = true
    ) {
      self.client = client
      self.token = token
      self.method = method
      self.realm = realm
      self.sendsVersion = sendsVersion
      own = ProtocolParameters(
        consumerKey: client.identifier, token: token.identifier, method: method, sendsVersion: sendsVersion)
      let key = SigningKey(clientSecret: client.secret, tokenSecret: token.secret)
      maskedKey = key.masked
      realmLine = realm.map(HeaderWriter.line)
      state = SigningState(method: method, key: key)
    }

    /// Signs a request. `additional` are further protocol parameters that travel in the header: `oauth_callback`,
    /// `oauth_verifier`.
    ///
    /// - Throws: ``SigningError`` when the request cannot be signed without guessing or without giving away the secrets.
    public func sign(
      _ request: SignableRequest, stamp: NonceTimestamp, additional: [Parameter] = []
    ) throws(SigningError) -> Authorization {
      try checkMethod(request.method)
      guard stamp.timestamp > 0 else { throw .badTimestamp(stamp.timestamp) }
      if method == .plaintext, !request.url.isHTTPS, !request.url.isLoopback {
        throw .plaintextWithoutTLS(host: request.url.host)
      }

      let input = SignatureInput(own: own, stamp: stamp, additional: additional, request: request)
      let (value, place) = try state.sign(input, realm: realmLine)
      return Authorization(
        headerValue: value, signaturePlace: place, realm: realm, maskedKey: maskedKey, input: input)
    }

    private func checkMethod(_ method: String) throws(SigningError) {
      let isToken = method.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
      guard isToken, !method.isEmpty else { throw .badMethod }
    }
  }
}

extension OAuth.Signer {
  /// Whether both sign in the same way, whatever they keep.
  public static func == (left: OAuth.Signer, right: OAuth.Signer) -> Bool {
    left.client == right.client && left.token == right.token && left.method == right.method
      && left.realm == right.realm && left.sendsVersion == right.sendsVersion
  }

  /// Feeds what makes signers equal to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(client)
    hasher.combine(token)
    hasher.combine(method)
    hasher.combine(realm)
    hasher.combine(sendsVersion)
  }
}

extension OAuth.Signer: CustomStringConvertible {
  /// The method and the consumer key, nothing secret.
  public var description: String { "\(method.rawValue) for \(client.identifier)" }
}

/// What a signer keeps between signatures: its key, worked into the hash, and the memory that it writes to.
///
/// It is behind a lock, so that a signer can be shared: signatures of one signer are made one after another, in microseconds each.
// Sendable because the workshop is used with the mutex held only.
@safe final class SigningState: @unchecked Sendable {
  // Set once and freed in deinit; the mutex must keep its address.
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var context: SigningContext

  init(method: OAuth.SignatureMethod, key: SigningKey) {
    context = SigningContext(method: method, key: key)
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Signs, and writes the header's value.
  ///
  /// - Parameter realm: without control characters.
  /// - Returns: the value, and where the signature stands in it.
  func sign(_ input: borrowing SignatureInput, realm: String?) throws(SigningError) -> (String, Range<Int>) {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try context.sign(input, realm: realm)
  }
}

extension SigningState: CustomReflectable {
  /// A mirror without children: the memory holds what was signed last.
  var customMirror: Mirror { Mirror(self, children: []) }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Signer = OAuth.Signer
