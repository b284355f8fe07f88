internal import Bytes
public import OAuthValues

extension OAuth {
  /// Signs requests for one application and one token (RFC 5849 §3).
  ///
  /// A signer keeps its hash state and its memory. Create it once and reuse it: signing then takes little more time than hashing the
  /// request. Copies share the state. Several threads may share a signer; a lock lets only one thread sign at a time.
  public struct Signer: Sendable, Hashable {
    /// The application.
    public let client: ClientCredentials
    /// The token.
    public let token: TokenRole
    /// The signature method.
    public let method: SignatureMethod
    /// The realm to send in the header; nil to send none. The realm is not signed.
    public let realm: String?
    /// Whether to send `oauth_version=1.0`. This parameter is optional (§3.1), and is signed only if it is sent.
    public let sendsVersion: Bool

    private let own: ProtocolParameters
    private let maskedKey: String
    /// The realm without control characters.
    private let realmLine: String?
    private let state: SigningState

    /// Creates a signer from the values that all requests share.
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

    /// Signs a request.
    ///
    /// - Parameters:
    ///   - request: the parts of the request that the signature covers.
    ///   - nonceTimestamp: a new nonce and timestamp for each request.
    ///   - additional: further protocol parameters for the header, such as `oauth_callback` or `oauth_verifier`.
    /// - Throws: ``SigningError`` if the request is ambiguous or would expose the secrets.
    public func sign(
      _ request: SignableRequest, nonceTimestamp: NonceTimestamp, additional: [Parameter] = []
    ) throws(SigningError) -> Authorization {
      try checkMethod(request.method)
      guard nonceTimestamp.timestamp > 0 else { throw .badTimestamp(nonceTimestamp.timestamp) }
      if method == .plaintext, !request.url.isHTTPS, !request.url.isLoopback {
        throw .plaintextWithoutTLS(host: request.url.host)
      }

      let (header, signature) = try state.sign(
        request, nonceTimestamp: nonceTimestamp, additional: additional, own: own, realm: realmLine)
      return Authorization(
        header, signature: signature, of: request, nonceTimestamp: nonceTimestamp, additional: additional, own: own,
        realm: realm, maskedKey: maskedKey)
    }

    /// Releases the memory that the next signature would reuse, but keeps the hash state. For a signer that rarely signs.
    package func releaseMemory() { state.releaseMemory() }

    /// Whether the signer has memory that the next signature would reuse.
    package var keepsMemory: Bool { state.keepsMemory }

    private func checkMethod(_ method: String) throws(SigningError) {
      let isToken = method.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
      guard isToken, !method.isEmpty else { throw .badMethod }
    }
  }
}

extension OAuth.Signer {
  /// Returns whether two signers have the same settings.
  public static func == (left: OAuth.Signer, right: OAuth.Signer) -> Bool {
    left.client == right.client && left.token == right.token && left.method == right.method
      && left.realm == right.realm && left.sendsVersion == right.sendsVersion
  }

  /// Adds the settings to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(client)
    hasher.combine(token)
    hasher.combine(method)
    hasher.combine(realm)
    hasher.combine(sendsVersion)
  }
}

extension OAuth.Signer: CustomStringConvertible {
  /// The method and the consumer key, but no secret.
  public var description: String { "\(method.rawValue) for \(client.identifier)" }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias Signer = OAuth.Signer
