/// Why bytes are not taken as an answer. Nothing after them on the connection can be trusted.
package struct ResponseFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// A few words; nothing in it came from the server.
  package let description: String

  init(_ description: String) { self.description = description }

  /// What both kinds of messages have in common is judged by the same rules.
  init(_ refusal: RequestRefusal) { self.init(refusal.reason) }
}
