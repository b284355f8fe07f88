package import Posting

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
