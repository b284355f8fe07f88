/// The error if an argument's text is not a valid value of its type.
package struct ArgumentError: Error, Sendable {
  let message: String

  package init(_ message: String) { self.message = message }
}
