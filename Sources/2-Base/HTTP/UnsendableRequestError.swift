/// The reason a request cannot be sent over HTTP. The message does not contain the refused value, because it may be secret.
package struct UnsendableRequestError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
