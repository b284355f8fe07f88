internal import Glibc

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
    client: ClientCredentials, token: TokenRole, method: SignatureMethod = .hmacSHA1, realm: String? = nil,
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
    _ request: SignableRequest, stamp: Stamp, additional: [Parameter] = []
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

extension Signer {
  /// Whether both sign in the same way, whatever they keep.
  public static func == (left: Signer, right: Signer) -> Bool {
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

extension Signer: CustomStringConvertible {
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
  private var workshop: Workshop

  init(method: SignatureMethod, key: SigningKey) {
    workshop = Workshop(method: method, key: key)
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
    return try workshop.sign(input, realm: realm)
  }
}

extension SigningState: CustomReflectable {
  /// A mirror without children: the memory holds what was signed last.
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a request could not be signed.
public enum SigningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// PLAINTEXT sends the secrets themselves, and this request goes over plain HTTP to another machine (RFC 5849 §3.4.4).
  case plaintextWithoutTLS(host: String)
  /// The query of the URL is not form data, so what it means, and what is signed, is not certain.
  case badQuery(FormError)
  /// A protocol parameter would be sent twice (§3.1): in the header and in the query or body, say.
  case doubledParameter(String)
  /// The method is empty or has a byte that no method has (RFC 9110 §9.1).
  case badMethod
  /// The timestamp is not a positive number of seconds (§3.3).
  case badTimestamp(Int64)
  /// OpenSSL would not compute it.
  case cryptography(CryptographyError)

  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .plaintextWithoutTLS(let host):
      "PLAINTEXT would show the secrets to everyone between here and \(host): use https or an HMAC method."
    case .badQuery(let error): "The URL's query cannot be signed. \(error)"
    case .doubledParameter(let name): "The request would send \(name) twice."
    case .badMethod: "The request's method is not a word of letters, digits and dashes."
    case .badTimestamp(let seconds): "The timestamp \(seconds) is not positive: the clock is not set."
    case .cryptography(let error): "The signature could not be computed. \(error)"
    }
  }
}

/// The key of a signature: both secrets percent-encoded, with an `&` between them even when one is empty
/// (RFC 5849 §3.4.2).
public struct SigningKey: Sendable, Hashable {
  private let secret: Secret
  private let hasTokenSecret: Bool

  /// Makes the key from the consumer secret and the secret of the token in use: none when temporary credentials are asked
  /// for, the request token's when it is exchanged, the access token's from then on.
  public init(clientSecret: Secret, tokenSecret: Secret?) {
    var bytes: [UInt8] = []
    clientSecret.withExposed { PercentEncoding.append($0.span, to: &bytes) }
    bytes.append(UInt8(ascii: "&"))
    tokenSecret?.withExposed { PercentEncoding.append($0.span, to: &bytes) }
    secret = Secret(bytes: bytes)
    hasTokenSecret = tokenSecret?.isEmpty == false
  }

  /// Hands the key's bytes to `body`; what it throws is thrown on.
  public func withExposed<R: ~Copyable, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try secret.withExposed(body)
  }

  /// The key's shape without its secrets, to be shown to the user: `<consumer secret>&<token secret>`, and nothing on a
  /// side that is empty.
  public var masked: String {
    let hasClientSecret = withExposed { $0.first != UInt8(ascii: "&") }
    return (hasClientSecret ? "<consumer secret>" : "") + "&" + (hasTokenSecret ? "<token secret>" : "")
  }
}

extension SigningKey: CustomStringConvertible {
  /// The same as ``masked``.
  public var description: String { masked }
}
