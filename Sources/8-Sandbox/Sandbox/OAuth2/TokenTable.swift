internal import Time

/// The issued access and refresh tokens. The tokens of one login form a family.
struct TokenTable: Sendable {
  /// The grant behind a refresh token.
  struct Refresh: Sendable {
    let clientID: String
    let scopes: [String]
    let issuedAt: Timestamp
    let family: Int
    /// The time when the refresh token was first used and replaced.
    var usedAt: Timestamp?
  }

  /// The maximum number of logins. Beyond it, the oldest login is discarded with its tokens.
  private static let capacity = 1_000

  private var accesses: [String: SandboxGrant] = [:]
  private var refreshes: [String: Refresh] = [:]
  private var clients: [Int: String] = [:]
  private var revokedFamilies: Set<Int> = []
  private var revokedTokens: Set<String> = []
  private var lastFamily = 0

  /// Starts a family for a new login.
  mutating func beginFamily(of clientID: String) -> Int {
    lastFamily += 1
    clients[lastFamily] = clientID
    forget(lastFamily - Self.capacity)
    return lastFamily
  }

  mutating func add(_ grant: SandboxGrant) { accesses[grant.token] = grant }
  mutating func add(_ refresh: Refresh, as token: String) { refreshes[token] = refresh }

  /// Returns the grant of a token, even if it is revoked.
  func access(_ token: String) -> SandboxGrant? { accesses[token] }
  func refresh(_ token: String) -> Refresh? { refreshes[token] }

  func isRevoked(_ grant: SandboxGrant) -> Bool {
    revokedFamilies.contains(grant.family) || revokedTokens.contains(grant.token)
  }
  func isRevoked(_ token: String, _ refresh: Refresh) -> Bool {
    revokedFamilies.contains(refresh.family) || revokedTokens.contains(token)
  }

  /// Records the first use of a refresh token.
  mutating func rotate(_ token: String, at now: Timestamp) {
    if refreshes[token]?.usedAt == nil { refreshes[token]?.usedAt = now }
  }

  mutating func revoke(_ token: String) { revokedTokens.insert(token) }
  mutating func revokeFamily(_ family: Int) { revokedFamilies.insert(family) }

  /// Revokes the access tokens of a login, but not its refresh tokens.
  mutating func revokeAccess(of family: Int) {
    revokedTokens.formUnion(accesses.values.lazy.filter { $0.family == family }.map(\.token))
  }

  /// Revokes all tokens of a client, or of all clients (`nil`).
  mutating func revokeAll(of clientID: String?) {
    revokedFamilies.formUnion(clients.lazy.filter { clientID == nil || $0.value == clientID }.map(\.key))
  }

  private mutating func forget(_ family: Int) {
    guard clients.removeValue(forKey: family) != nil else { return }
    let old =
      accesses.values.filter { $0.family == family }.map(\.token)
      + refreshes.filter { $0.value.family == family }.map(\.key)
    for token in old {
      accesses[token] = nil
      refreshes[token] = nil
      revokedTokens.remove(token)
    }
    revokedFamilies.remove(family)
  }
}
