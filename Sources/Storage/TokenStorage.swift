package import CivilTime

/// Stores the token of one account. Only the owner of the state writes it.
///
/// Space for a token is reserved before the token is requested from a provider, so that a full disk is detected before a token can be lost.
/// A committed token survives a power failure.
package protocol TokenStorage: Sendable {
  /// The token's location, to show to the user.
  var location: String { get }
  /// Whether a token is stored, even if it cannot be read.
  var isPresent: Bool { get }
  /// Reads the stored token without changing anything.
  /// - Returns: `nil` if no token is stored.
  func read() throws(StorageError) -> StoredToken?
  /// Reads the token as the process that owns the state. A corrupt token is set aside, never deleted, and the error contains its new
  /// location.
  /// - Returns: `nil` if no token is stored.
  func load(at now: Timestamp) throws(StorageError) -> StoredToken?

  /// Reserves space for a token. A stored token is set aside if it is corrupt or its key is missing, and replaced if other users can read
  /// it. A token from a newer version is left unchanged and causes an error.
  /// - Returns: the reserved space, which is released if no token is committed.
  func reserve(at now: Timestamp) throws(StorageError) -> any TokenReservation
  /// Returns the id of the key that encrypts the stored token. The key itself is not needed.
  /// - Returns: `nil` if there is no token, or a plain one.
  func keyID() throws(StorageError) -> String?
  /// Rewrites the token in the form in which tokens are now stored. Only the process that owns the state may call this, and only while no
  /// renewal is running.
  /// - Returns: whether the token was in a different form.
  func applyProtection() throws(StorageError) -> Bool
  /// Deletes the token, if there is one. Once this returns, the deletion is durable.
  func remove(at now: Timestamp) throws(StorageError)

  // MARK: Renewals

  /// Reserves space for a renewed token. Unlike a login's reservation, it remains after the process has exited, and shows the next process
  /// that owns the state that a renewal was requested.
  /// - Parameter former: the token to be renewed, as the caller last read it.
  /// - Throws: `.outdated` if the stored token is no longer this token. In that case, nothing is reserved.
  func reserveRenewal(of former: StoredToken) throws(StorageError)
  /// Stores a renewed token in place of the current one.
  func commitRenewal(_ token: StoredToken) throws(StorageError)
  /// Releases the reservation, because the provider refused the renewal or could not be reached.
  func abandonRenewal()
  /// Completes or discards a renewal that an earlier process left unfinished. The owner of the state must call this before the first
  /// `load`.
  func recover(at now: Timestamp) throws(StorageError) -> TokenRecovery
  /// Returns a renewed token that an earlier process received, if ``recover(at:)`` could not store it. Call this before a renewal, which
  /// would otherwise send a refresh token that has already been used.
  /// - Parameter former: the token to be renewed.
  /// - Returns: `nil` if there is no such token.
  func received(after former: StoredToken, at now: Timestamp) throws(StorageError) -> StoredToken?
  /// Stores the reason a renewal was refused. Once this returns, the record is durable.
  /// - Throws: `.outdated` if the stored token is no longer this token.
  func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(StorageError)
}

/// Space reserved for a token. It is released with the last reference to this object.
package protocol TokenReservation: AnyObject, Sendable {
  /// Stores a token in place of the current one. Once this returns, the token survives a power failure.
  func commit(_ token: StoredToken) throws(StorageError)
}

/// A renewal that an earlier process left unfinished.
package enum TokenRecovery: Sendable, Hashable {
  case nothing
  /// The earlier process requested a renewal and received no response. The token has not changed.
  case unanswered
  /// The earlier process received the renewed token, which is now the current token.
  case completed
}
