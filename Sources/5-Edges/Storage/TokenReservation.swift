/// Space reserved for a token. It is released with the last reference to this object.
package protocol TokenReservation: AnyObject, Sendable {
  /// Stores a token in place of the current one. Once this returns, the token survives a power failure.
  func commit(_ token: StoredToken) throws(StorageError)
}
