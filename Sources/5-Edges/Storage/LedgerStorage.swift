package import Time

/// Records an account's spending. A request's cost is reserved before the request is sent, and settled when the response arrives. If the
/// process exits in between, the recorded cost is too high, never too low.
package protocol LedgerStorage: AnyObject {
  /// Counts one request and reserves its response's maximum cost. Once this returns, the reservation survives a power failure.
  func reserve(
    posts: Int, microUSD: Int64, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Reservation>
  /// Replaces a reservation with a response's actual cost.
  func settle(_ settlement: Settlement, expecting revision: Revision) throws(StorageError) -> Revision
  /// Copies spending from the account's other storage, for days that are not recorded here.
  func adopt(_ record: SpendingRecord, expecting revision: Revision) throws(StorageError) -> Revision
}
