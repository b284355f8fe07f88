package import CivilTime

/// Stores the token of one account. Written by the owner of the state only.
///
/// Space for a token is reserved before a provider is asked for one, so that what keeps it from being stored is found while nothing is
/// lost yet. A committed token survives a power cut.
package protocol TokenStorage: Sendable {
  /// Where it is, for people.
  var location: String { get }
  /// Whether anything is stored, readable or not.
  var isPresent: Bool { get }
  /// Reads the token and changes nothing.
  /// - Returns: `nil` when there is none.
  func read() throws(StorageError) -> StoredToken?
  /// Reads the token as its owner: a damaged one is set aside, never deleted, and named in the error.
  /// - Returns: `nil` when there is none.
  func load(at now: Timestamp) throws(StorageError) -> StoredToken?

  /// Makes sure that a token can be stored. A damaged one is set aside, one that others can read is replaced; what a newer version wrote
  /// stays, and is an error.
  /// - Returns: the space, which is given back where nothing is committed.
  func reserve(at now: Timestamp) throws(StorageError) -> any TokenReservation
  /// Deletes the token, for good when it returns. One that is not there is no error.
  func remove(at now: Timestamp) throws(StorageError)

  // MARK: Renewals

  /// Makes sure that a renewed token can be stored. Unlike another reservation it outlives its process, and tells the next owner that the
  /// token's server was asked.
  func reserveRenewal() throws(StorageError)
  /// Stores a renewed token. The one before it is replaced.
  func commitRenewal(_ token: StoredToken) throws(StorageError)
  /// No answer will come: the provider has refused, or was not reached.
  func abandonRenewal()
  /// Brings to its end what a process that ended has left. To be called by the owner of the state, before the first `load`.
  func recover(at now: Timestamp) throws(StorageError) -> TokenRecovery
  /// The token that an earlier process has received, where ``recover(at:)`` could not put it in its place until now. To be asked before
  /// a renewal begins, which would use up a token that is used up already.
  /// - Parameter former: the token that is to be renewed.
  /// - Returns: `nil` when there is none.
  func received(after former: StoredToken, at now: Timestamp) throws(StorageError) -> StoredToken?
  /// Writes down why the token's renewal was refused: after the return the next process knows it, too.
  func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(StorageError)
}

/// Space for a token, which is given back with the last reference to it.
package protocol TokenReservation: AnyObject, Sendable {
  /// Stores a token: after the return it survives a power cut. The one before it is replaced.
  func commit(_ token: StoredToken) throws(StorageError)
}

/// What a process that ended in the middle of a renewal has left.
package enum TokenRecovery: Sendable, Hashable {
  case nothing
  /// It had asked, and no answer was received: the token before it is all there is.
  case unanswered
  /// The renewed token had been received and is the one that counts now.
  case completed
}
