import Bytes
import HTTP
import HomelineOAuth
import Sandbox
import SandboxSupport
import Time

/// A simulated provider that records every request's target and token, and the account that the token belongs to.
struct WatchedProvider<Simulated: SimulatedProvider>: SimulatedProvider {
  var simulated: Faulty<Simulated>
  /// The requests that the provider has received so far.
  private(set) var visits: [Visit] = []
  /// The account of each token, including renewed tokens.
  private(set) var owners: [String: String] = [:]
  /// The expiry time of each access token, according to the provider's clock.
  private(set) var ends: [String: Timestamp] = [:]
  /// The responses to these accounts' requests, in place of the provider's own.
  var refusals: [String: Response] = [:]
  /// A closure called with each request's path before the response.
  var beforeAnswer: (@Sendable (String) -> Void)?

  init(_ simulated: Simulated) { self.simulated = Faulty(simulated) }

  func clock(at now: Timestamp) -> Timestamp { simulated.clock(at: now) }

  /// Records the account that the given OAuth 2.0 tokens belong to.
  mutating func note(_ issued: AccessTokenResponse, of account: String, at now: Timestamp) {
    let access = issued.accessToken.withExposedText { $0 }
    owners[access] = account
    if let refresh = issued.refreshToken { owners[refresh.withExposedText { $0 }] = account }
    ends[access] = issued.expiresIn.map { clock(at: now) + .seconds($0) }
  }

  /// Records the account that an OAuth 1.0a token belongs to.
  mutating func note(_ token: TokenCredentials, of account: String) { owners[token.identifier] = account }

  mutating func forgetVisits() { visits = [] }

  mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    beforeAnswer?(request.target.path)
    let token = Visit.token(of: request)
    let owner = token.flatMap { owners[$0] }
    let isRenewal = Visit.form(request, "grant_type") == "refresh_token"
    if !isRenewal, let owner, let refusal = refusals[owner] {
      visits.append(Visit(request, token, owner, at: now, status: refusal.status.code))
      return SimulatedResponse(refusal)
    }
    let response = simulated.response(to: request, at: now)
    let status = response.isDropped ? 0 : response.response.status.code
    visits.append(Visit(request, token, owner, at: now, status: status))
    if isRenewal, let owner,
      let issued = try? AccessTokenResponse(
        OAuthResponse(status: response.response.status.code, body: response.response.body))
    {
      note(issued, of: owner, at: now)
    }
    return response
  }
}

/// A request to a simulated provider.
struct Visit: Sendable {
  let method: RequestMethod
  let path: String
  /// The request's access token, or the token that it renews or revokes.
  let token: String?
  /// The account that the token belongs to; `nil` if the token is unknown.
  let account: String?
  /// The time of the request, according to the correct clock.
  let at: Timestamp
  /// The status of the response; 0 if the connection was closed without one.
  let status: Int
  let isRenewal: Bool

  init(_ request: Request, _ token: String?, _ account: String?, at now: Timestamp, status: Int) {
    method = request.method
    path = request.target.path
    self.token = token
    self.account = account
    at = now
    self.status = status
    isRenewal = Self.form(request, "grant_type") == "refresh_token"
  }

  static func token(of request: Request) -> String? {
    if let refresh = form(request, "refresh_token") ?? form(request, "token") { return refresh }
    guard let header = request.headers.first("Authorization") else {
      return query(request, "access_token") ?? form(request, "access_token")
    }
    if header.hasPrefix("Bearer ") { return String(header.dropFirst("Bearer ".count)) }
    return (try? AuthorizationHeader(parsing: header))?.parameters.first { $0.isNamed("oauth_token") }?.valueText
  }

  static func form(_ request: Request, _ name: String) -> String? {
    guard request.method == .post else { return nil }
    return (try? FormEncoding.decode(request.body))?.first { $0.isNamed(name) }?.valueText
  }

  private static func query(_ request: Request, _ name: String) -> String? {
    request.target.query.flatMap { try? FormEncoding.decode($0) }?.first { $0.isNamed(name) }?.valueText
  }
}
