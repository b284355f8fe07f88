internal import CivilTime
internal import HTTP
internal import HomelineOAuth

/// Lets signed requests in: key, timestamp, token, signature and nonce, each judged strictly (RFC 5849 §3.2).
struct Gate: Sendable {
  /// What a request must be signed with.
  enum Role {
    /// The consumer key alone, to ask for a request token.
    case client
    /// A request token, to exchange it.
    case temporary
    /// An access token.
    case user
  }

  /// A request that was let in.
  struct Entrance {
    let claim: ReceivedSignature
    /// The token it came with, empty for `Role.client`.
    let token: String
  }

  /// Ours are 32 letters; who sends more than this wants our memory.
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

  mutating func admit(_ request: Request, as role: Role, at now: Timestamp) throws(Refusal) -> Entrance {
    let claim = try Self.claim(of: request)
    guard claim.consumerKey == consumer.identifier else {
      throw .notAuthenticated("The consumer key is not known.")
    }
    if let timestamp = claim.timestamp {
      let distance = timestamp.subtractingReportingOverflow(now.seconds)
      guard !distance.overflow, distance.partialValue.magnitude <= UInt64(tolerance.components.seconds) else {
        throw .timestampOutOfBounds
      }
    }
    do {
      guard let secret = try secret(of: claim.token ?? "", for: role) else { throw Refusal.invalidToken }
      guard try claim.isMade(withClientSecret: consumer.secret, tokenSecret: secret) else {
        throw Refusal.notAuthenticated("The signature does not match.")
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw .internalError(error)
    }
    try noteNonce(of: claim, at: now)
    return Entrance(claim: claim, token: claim.token ?? "")
  }

  private static func claim(of request: Request) throws(Refusal) -> ReceivedSignature {
    let headers = request.headers.all("Authorization")
    guard headers.count <= 1 else { throw .badAuthentication("There are several Authorization headers.") }
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

  /// The URL as the client must have signed it: its `Host`, and the target as it came.
  private static func url(of request: Request) throws -> RequestURL {
    if case .absolute = request.target.form { return try RequestURL(request.target.raw) }
    return try RequestURL(
      scheme: "http", hostHeader: request.headers.first(.host) ?? "", target: request.target.raw)
  }

  /// The token secret to check with, an empty one where no token is due; nil if there is no such token.
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

  /// Only of requests with a right signature, so that nobody can use up another one's nonces. PLAINTEXT may come without
  /// (§3.1), and then there is nothing to know it by.
  private mutating func noteNonce(of claim: ReceivedSignature, at now: Timestamp) throws(Refusal) {
    guard let nonce = claim.nonce, let timestamp = claim.timestamp else { return }
    guard nonce.utf8.count <= Self.nonceLimit else { throw .badAuthentication("The nonce is too long.") }
    let entry = "\(claim.token ?? "") \(nonce)"
    switch nonces.insert(entry, until: Timestamp(seconds: timestamp) + tolerance, at: now) {
    case .new: return
    case .known: throw .notAuthenticated("The nonce was used before.")
    case .full: throw .overCapacity
    }
  }
}
