internal import CivilTime

/// Access and refresh tokens, and which of them go back to the same login (their family).
struct TokenBook: Sendable {
  /// What a refresh token stands for.
  struct Refresh: Sendable {
    let clientID: String
    let scopes: [String]
    let issuedAt: Timestamp
    let family: Int
    /// When it was rotated away.
    var usedAt: Timestamp?
  }

  /// Logins that are remembered; the oldest are forgotten with all their tokens.
  private static let capacity = 1_000

  private var accesses: [String: TokenGrant] = [:]
  private var refreshes: [String: Refresh] = [:]
  private var clients: [Int: String] = [:]
  private var deadFamilies: Set<Int> = []
  private var deadTokens: Set<String> = []
  private var lastFamily = 0

  /// A new login.
  mutating func beginFamily(of clientID: String) -> Int {
    lastFamily += 1
    clients[lastFamily] = clientID
    forget(lastFamily - Self.capacity)
    return lastFamily
  }

  mutating func add(_ grant: TokenGrant) { accesses[grant.token] = grant }
  mutating func add(_ refresh: Refresh, as token: String) { refreshes[token] = refresh }

  /// Whatever has become of it.
  func access(_ token: String) -> TokenGrant? { accesses[token] }
  func refresh(_ token: String) -> Refresh? { refreshes[token] }

  func isRevoked(_ grant: TokenGrant) -> Bool {
    deadFamilies.contains(grant.family) || deadTokens.contains(grant.token)
  }
  func isRevoked(_ token: String, _ refresh: Refresh) -> Bool {
    deadFamilies.contains(refresh.family) || deadTokens.contains(token)
  }

  /// Notes the first use of a refresh token.
  mutating func rotate(_ token: String, at now: Timestamp) {
    if refreshes[token]?.usedAt == nil { refreshes[token]?.usedAt = now }
  }

  mutating func revoke(_ token: String) { deadTokens.insert(token) }
  mutating func revokeFamily(_ family: Int) { deadFamilies.insert(family) }

  /// The access tokens of a login, not its refresh tokens.
  mutating func revokeAccess(of family: Int) {
    deadTokens.formUnion(accesses.values.lazy.filter { $0.family == family }.map(\.token))
  }

  /// All that a client has, or that anybody has (nil).
  mutating func revokeAll(of clientID: String?) {
    deadFamilies.formUnion(clients.lazy.filter { clientID == nil || $0.value == clientID }.map(\.key))
  }

  private mutating func forget(_ family: Int) {
    guard clients.removeValue(forKey: family) != nil else { return }
    let old =
      accesses.values.filter { $0.family == family }.map(\.token)
      + refreshes.filter { $0.value.family == family }.map(\.key)
    for token in old {
      accesses[token] = nil
      refreshes[token] = nil
      deadTokens.remove(token)
    }
    deadFamilies.remove(family)
  }
}
