/// The reason a string does not name a server.
package struct ServerNameError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
  /// Whether the description names the text, so that no sentence about the text need precede it.
  package let isComplete: Bool

  init(_ description: String, isComplete: Bool = false) {
    self.description = description
    self.isComplete = isComplete
  }
}
