package import CivilTime

/// Stores the token of one account. Only the owner of the state writes it.
///
/// Space for a token is reserved before it is requested from a provider, so that a full disk is detected before anything is lost. A
/// committed token survives a power failure.
package protocol TokenStorage: Sendable {
  /// The location of the token, to be shown to the user.
  var location: String { get }
  /// Whether a token is stored, readable or not.
  var isPresent: Bool { get }
  /// Reads the token without changing anything.
  /// - Returns: `nil` if there is none.
  func read() throws(StorageError) -> StoredToken?
  /// Reads the token as its owner. A damaged token is set aside, never deleted, and the error contains its new location.
  /// - Returns: `nil` if there is none.
  func load(at now: Timestamp) throws(StorageError) -> StoredToken?

  /// Reserves space for a token. A damaged token, and one whose key is missing, is set aside. One that other users can read is replaced.
  /// A token from a newer version is not changed and causes an error.
  /// - Returns: the reserved space, which is released if nothing is committed.
  func reserve(at now: Timestamp) throws(StorageError) -> any TokenReservation
  /// Returns the id of the key that encrypts the stored token. The key itself is not needed.
  /// - Returns: `nil` if there is no token, or a plain one.
  func keyID() throws(StorageError) -> String?
  /// Rewrites the token in the form in which tokens are stored now. Call it as the owner, while no renewal is under way.
  /// - Returns: whether it had a different form.
  func applyProtection() throws(StorageError) -> Bool
  /// Deletes the token. The deletion is durable when this returns. A missing token is not an error.
  func remove(at now: Timestamp) throws(StorageError)

  // MARK: Renewals

  /// Reserves space for a renewed token. Unlike a login's reservation, it outlives its process, and shows the next owner that a renewal
  /// was requested.
  /// - Parameter former: the token to be renewed, as the caller knows it.
  /// - Throws: `.outdated` if another token, or none, is stored now. In that case, nothing is reserved.
  func reserveRenewal(of former: StoredToken) throws(StorageError)
  /// Stores a renewed token, which replaces the current one.
  func commitRenewal(_ token: StoredToken) throws(StorageError)
  /// Releases the reservation: the provider has refused, or could not be reached.
  func abandonRenewal()
  /// Completes or discards a renewal that an earlier process left unfinished. The owner of the state must call it before the first `load`.
  func recover(at now: Timestamp) throws(StorageError) -> TokenRecovery
  /// Returns a renewed token that an earlier process received, if ``recover(at:)`` could not store it. Call it before a renewal begins,
  /// which would otherwise send a refresh token that has already been used.
  /// - Parameter former: the token to be renewed.
  /// - Returns: `nil` if there is none.
  func received(after former: StoredToken, at now: Timestamp) throws(StorageError) -> StoredToken?
  /// Stores the reason why a renewal was refused. It is durable when this returns.
  /// - Throws: `.outdated` if another token, or none, is stored now.
  func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(StorageError)
}

/// Reserved space for a token. It is released with the last reference.
package protocol TokenReservation: AnyObject, Sendable {
  /// Stores a token, which replaces the current one. When this returns, it survives a power failure.
  func commit(_ token: StoredToken) throws(StorageError)
}

/// The renewal that an earlier process left unfinished.
package enum TokenRecovery: Sendable, Hashable {
  case nothing
  /// It requested a renewal and received no response. The former token is still the current one.
  case unanswered
  /// It received the renewed token, which is now the current one.
  case completed
}
