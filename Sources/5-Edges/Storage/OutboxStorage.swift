package import Posting
package import Time

/// An account's posts that are waiting to be sent, or whose outcome is being determined. The state owner uses this storage
/// on the account's queue.
package protocol OutboxStorage: Sendable {
  /// Reads all intents, in order of their numbers. A record that cannot be read is set aside and never sent.
  func load(at now: Timestamp) throws(StorageError) -> OutboxContent
  /// Returns the locations of all records that were set aside and are still there.
  func damaged() throws(StorageError) -> [String]
  /// Reads one intent without changing anything, even while another process owns the state.
  /// - Returns: nil if it is missing or cannot be read.
  func intent(_ id: IntentID) -> PostIntent?
  /// Reads all intents without changing anything, even while another process owns the state. Records that cannot be read are left out.
  func readable() throws(StorageError) -> [PostIntent]
  /// Adds or replaces an intent. Once this returns, the intent survives a power failure.
  func write(_ intent: PostIntent) throws(StorageError)
  /// Removes an intent. Does nothing if there is none.
  func remove(_ id: IntentID) throws(StorageError)
}
