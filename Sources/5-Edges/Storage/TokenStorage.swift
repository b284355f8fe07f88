package import Time

/// Stores the token of one account. Only the state owner writes it.
///
/// Space for a token is reserved before the token is requested, so that a full disk is detected before a token can be lost.
/// A committed token survives a power failure.
package protocol TokenStorage: Sendable {
  /// The token's location, to show to the user.
  var location: String { get }
  /// Whether a token is stored, even if it cannot be read.
  var isPresent: Bool { get }
  /// Reads the stored token without changing anything.
  /// - Returns: `nil` if no token is stored.
  func read() throws(StorageError) -> StoredToken?
  /// Reads the token as the state owner. A corrupt token is set aside, never deleted, and the error gives its new
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
  /// Rewrites the token in the form that tokens now have. Only the state owner may call this, and only while no
  /// renewal is running.
  /// - Returns: whether the token was in a different form.
  func applyProtection() throws(StorageError) -> Bool
  /// Deletes the token, if there is one. Once this returns, the deletion is durable.
  func remove(at now: Timestamp) throws(StorageError)

  // MARK: Renewals

  /// Reserves space for a renewed token. Unlike a login's reservation, it remains after the process has exited, and tells the next state
  /// owner that a renewal was requested.
  /// - Parameter former: the token to be renewed, as the caller last read it.
  /// - Throws: `.outdated` if the stored token is no longer this token; nothing is then reserved.
  func reserveRenewal(of former: StoredToken) throws(StorageError)
  /// Stores a renewed token in place of the current one.
  func commitRenewal(_ token: StoredToken) throws(StorageError)
  /// Releases the reservation, because the provider refused the renewal or could not be reached.
  func abandonRenewal()
  /// Completes or discards a renewal that an earlier process left unfinished. The state owner must call this before the first
  /// `load`.
  func recover(at now: Timestamp) throws(StorageError) -> TokenRecovery
  /// Returns a renewed token that an earlier process received, if ``recover(at:)`` could not store it. Call this before a renewal;
  /// otherwise, a used refresh token would be sent.
  /// - Parameter former: the token to be renewed.
  /// - Returns: `nil` if there is no such token.
  func received(after former: StoredToken, at now: Timestamp) throws(StorageError) -> StoredToken?
  /// Stores the reason a renewal was refused. Once this returns, the record is durable.
  /// - Throws: `.outdated` if the stored token is no longer this token.
  func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(StorageError)
}
