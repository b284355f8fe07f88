package import CivilTime
package import Posting

/// An account's posts that are waiting to be sent, or whose outcome is being determined. The process that owns the state uses this storage
/// on the account's queue.
package protocol OutboxStorage: Sendable {
  /// Reads all intents, in order of their numbers. A record that cannot be read is set aside and never sent.
  func load(at now: Timestamp) throws(StorageError) -> OutboxContent
  /// Returns the locations of all records that were set aside and are still there.
  func damaged() throws(StorageError) -> [String]
  /// Reads one intent without changing anything, even while another process owns the state.
  /// - Returns: nil if it is missing or cannot be read.
  func intent(_ id: IntentID) -> PostIntent?
  /// Adds or replaces an intent. Once this returns, the intent survives a power failure.
  func write(_ intent: PostIntent) throws(StorageError)
  /// Removes an intent. Does nothing if there is none.
  func remove(_ id: IntentID) throws(StorageError)
}

/// The intents of an outbox.
package struct OutboxContent: Sendable, Hashable {
  package let intents: [PostIntent]
  /// The locations of records that could not be read, after they were set aside.
  package let setAside: [String]

  package init(intents: [PostIntent], setAside: [String] = []) {
    self.intents = intents
    self.setAside = setAside
  }
}
