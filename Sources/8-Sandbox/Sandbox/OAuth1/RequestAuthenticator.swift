internal import Bytes
internal import Cryptography
internal import HTTP
internal import HomelineOAuth
internal import Time

/// Authenticates signed requests: strictly checks the key, timestamp, token, signature and nonce (RFC 5849 §3.2).
struct RequestAuthenticator: Sendable {
  /// The credentials that a request must be signed with.
  enum Role {
    /// Only the client's credentials, to obtain a request token.
    case client
    /// The credentials of the client and a request token, to exchange the request token.
    case temporary
    /// The credentials of the client and an access token.
    case user
  }

  /// A request whose signature is valid.
  struct AuthenticatedRequest {
    let signature: ReceivedSignature
    /// The token in the request; empty for `Role.client`.
    let token: String
  }

  /// The maximum length of a nonce in bytes. Longer nonces would only waste memory; homeline's nonces have 32 bytes.
  private static let nonceLimit = 256

  let seal: Seal
  let consumer: ClientCredentials
  let userID: Int64
  private let tolerance: Duration
  private var nonces = ExpiringSet(capacity: 500_000)
  private(set) var revoked: Set<String>

  init(seal: Seal, consumer: ClientCredentials, userID: Int64, tolerance: Duration, revoked: Set<String>) {
    self.seal = seal
    self.consumer = consumer
    self.userID = userID
    self.tolerance = tolerance
    self.revoked = revoked
  }

  mutating func revoke(_ token: String) { revoked.insert(token) }

  mutating func admit(_ request: Request, as role: Role, at now: Timestamp) throws(TwitterError) -> AuthenticatedRequest
  {
    let signature = try Self.signature(of: request)
    guard signature.consumerKey == consumer.identifier else {
      throw .notAuthenticated("The consumer key is unknown.")
    }
    if let timestamp = signature.timestamp {
      let distance = timestamp.subtractingReportingOverflow(now.seconds)
      guard !distance.overflow, distance.partialValue.magnitude <= UInt64(tolerance.components.seconds) else {
        throw .timestampOutOfBounds
      }
    }
    do {
      guard let secret = try secret(of: signature.token ?? "", for: role) else { throw TwitterError.invalidToken }
      guard try signature.isValid(clientSecret: consumer.secret, tokenSecret: secret) else {
        throw TwitterError.notAuthenticated("The signature does not match.")
      }
    } catch let refusal as TwitterError {
      throw refusal
    } catch {
      throw .internalError(error)
    }
    try noteNonce(of: signature, at: now)
    return AuthenticatedRequest(signature: signature, token: signature.token ?? "")
  }

  private static func signature(of request: Request) throws(TwitterError) -> ReceivedSignature {
    let headers = request.headers.all("Authorization")
    guard headers.count <= 1 else { throw .badAuthentication("There is more than one Authorization header.") }
    do {
      let url = try url(of: request)
      let signable = try SignableRequest(
        method: request.method.name, url: url, contentType: request.headers.first(.contentType), body: request.body)
      return try ReceivedSignature(
        request: signable, header: try headers.first.map { try AuthorizationHeader(parsing: $0) })
    } catch {
      throw .badAuthentication("\(error)")
    }
  }

  /// Returns the URL that the client must have signed: its `Host`, and the request target byte for byte.
  private static func url(of request: Request) throws -> RequestURL {
    if case .absolute = request.target.form { return try RequestURL(request.target.raw) }
    return try RequestURL(
      scheme: "http", hostHeader: request.headers.first(.host) ?? "", target: request.target.raw)
  }

  /// Returns the token secret for verifying the signature; empty for `Role.client`.
  /// - Returns: `nil` if there is no such token.
  private func secret(of token: String, for role: Role) throws(CryptographyError) -> Secret? {
    switch role {
    case .client: return token.isEmpty ? Secret("") : nil
    case .temporary:
      guard try RequestToken(token, under: seal) != nil else { return nil }
    case .user:
      guard try AccessToken.isIssued(token, to: userID, by: seal), !revoked.contains(token) else { return nil }
    }
    return try seal.secret(of: token)
  }

  /// Records the nonce of a request. Call this only after the signature has been verified, so that no client can use up the nonces of
  /// another. A PLAINTEXT request may have no nonce (§3.1); its replay cannot be detected.
  private mutating func noteNonce(of signature: ReceivedSignature, at now: Timestamp) throws(TwitterError) {
    guard let nonce = signature.nonce, let timestamp = signature.timestamp else { return }
    guard nonce.utf8.count <= Self.nonceLimit else { throw .badAuthentication("The nonce is too long.") }
    let entry = "\(signature.token ?? "") \(nonce)"
    switch nonces.insert(entry, until: Timestamp(seconds: timestamp) + tolerance, at: now) {
    case .new: return
    case .known: throw .notAuthenticated("The nonce has already been used.")
    case .full: throw .overCapacity
    }
  }
}
