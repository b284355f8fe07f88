/// The reason the input is not the expected JSON, and the position of the error.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// The kind of error.
  package enum Kind: Hashable, Sendable {
    /// The text is not JSON (RFC 8259). The value describes the expected syntax.
    case syntax(String)
    /// The value is valid JSON, but not of the requested type.
    case type(expected: String)
    /// The number is not a whole number in the expected range. The value names the range, such as `0 to 65535`.
    case outOfRange(String)
    /// The value is nested more deeply than the limit allows.
    case tooDeep(limit: Int)
    /// The text ends in the middle of a value.
    case truncated
  }

  package let kind: Kind
  package let position: JSONPosition

  package var description: String { "\(position): \(reason)" }

  /// The reason without the position.
  package var reason: String {
    switch kind {
    case .syntax(let expected): "not valid JSON: expected \(expected)"
    case .type(let expected): "expected \(expected)"
    case .outOfRange(let range): "expected a whole number from \(range)"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .truncated: "the text ends in the middle of a value"
    }
  }
}
