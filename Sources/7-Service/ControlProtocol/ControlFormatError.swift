/// The error if a response does not follow this protocol.
package struct ControlFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The invalid part, and the reason.
  package let description: String

  init(_ part: String, _ reason: String) { description = "\(part) is invalid: \(reason)" }
}
