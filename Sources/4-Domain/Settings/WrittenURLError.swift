/// The reason a string is not an address.
package struct WrittenURLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence about what was written.
  package let description: String

  init(_ description: String) { self.description = description }
}
