internal import Platform
internal import Settings
internal import Storage
internal import Time

/// One account's token as a value.
final class MemoryTokens: TokenStorage {
  private struct Content {
    var token: StoredToken?
    /// Whether a renewal is reserved.
    var isRenewing = false
    /// The number of the last reservation, which invalidates earlier reservations.
    var reservation = 0
  }

  private let content = Locked(Content())
  let location: String

  init(of account: AccountName) { location = "the token in memory of \(account)" }

  var isPresent: Bool { content.withLock { $0.token != nil } }

  func read() throws(StorageError) -> StoredToken? { content.withLock { $0.token } }
  func load(at now: Timestamp) throws(StorageError) -> StoredToken? { try read() }
  func keyID() throws(StorageError) -> String? { nil }
  func applyProtection() throws(StorageError) -> Bool { false }

  func reserve(at now: Timestamp) throws(StorageError) -> any TokenReservation {
    Reservation(
      self,
      content.withLock { content in
        content.reservation += 1
        return content.reservation
      })
  }

  func remove(at now: Timestamp) throws(StorageError) { forget() }
  func forget() { content.withLock { ($0.token, $0.isRenewing) = (nil, false) } }

  func reserveRenewal(of former: StoredToken) throws(StorageError) {
    try change(former) { $0.isRenewing = true }
  }

  func commitRenewal(_ token: StoredToken) throws(StorageError) {
    content.withLock { ($0.token, $0.isRenewing) = (token, false) }
  }

  func abandonRenewal() { content.withLock { $0.isRenewing = false } }

  func recover(at now: Timestamp) throws(StorageError) -> TokenRecovery {
    content.withLock { content in
      defer { content.isRenewing = false }
      return content.isRenewing ? .unanswered : .nothing
    }
  }

  func received(after former: StoredToken, at now: Timestamp) throws(StorageError) -> StoredToken? { nil }

  func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(StorageError) {
    try change(token) { $0.token = token.withRefusal(refusal) }
  }

  private func change(_ token: StoredToken, _ body: (inout Content) -> Void) throws(StorageError) {
    try content.withLock { content throws(StorageError) in
      guard let stored = content.token, stored.isSameLogin(as: token) else {
        throw StorageError(.outdated, "\(location): another process has replaced or removed the token")
      }
      body(&content)
    }
  }

  private func commit(_ token: StoredToken, _ reservation: Int) throws(StorageError) {
    try content.withLock { content throws(StorageError) in
      guard content.reservation == reservation else {
        throw StorageError(.outdated, "\(location): another login has reserved the token since")
      }
      (content.token, content.isRenewing) = (token, false)
    }
  }

  private final class Reservation: TokenReservation {
    private let tokens: MemoryTokens
    private let number: Int

    init(_ tokens: MemoryTokens, _ number: Int) { (self.tokens, self.number) = (tokens, number) }

    func commit(_ token: StoredToken) throws(StorageError) { try tokens.commit(token, number) }
  }
}
