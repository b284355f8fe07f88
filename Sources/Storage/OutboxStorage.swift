package import CivilTime
package import Posting

/// The posts of an account that wait to be sent, or whose outcome is being found out. Its owner uses it on the account's queue.
package protocol OutboxStorage: Sendable {
  /// The location of the outbox, to be shown to the user.
  var location: String { get }

  /// Reads all intents, in the order of their numbers. A record that cannot be read is set aside and never sent.
  func load(at now: Timestamp) throws(StorageError) -> OutboxContent
  /// Adds or replaces an intent. It survives a power cut when this returns.
  func write(_ intent: PostIntent) throws(StorageError)
  /// Removes an intent; one that does not exist is no error.
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
