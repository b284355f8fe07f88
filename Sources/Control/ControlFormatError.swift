/// An answer of the owner that is not as this protocol has it.
package struct ControlFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was to be read, and what is wrong with it.
  package let description: String

  init(_ what: String, _ reason: String) { description = "\(what) cannot be understood: \(reason)" }
}
