/// Why a text is not the JSON that was expected, and where.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// What was wrong.
  package enum Kind: Hashable, Sendable {
    /// Not JSON (RFC 8259): what was expected instead.
    case syntax(String)
    /// JSON, but of another type than asked for.
    case type(expected: String)
    /// A number that no 64-bit integer holds.
    case notInteger
    /// More nested than the limits allow.
    case tooDeep(limit: Int)
    /// The text ends in the middle of a value.
    case truncated
  }

  package let kind: Kind
  package let place: JSONPlace

  package var description: String { "\(place): \(reason)" }

  /// The reason without the place.
  package var reason: String {
    switch kind {
    case .syntax(let expected): "not valid JSON: expected \(expected)"
    case .type(let expected): "expected \(expected)"
    case .notInteger: "expected a whole number of at most 64 bits"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .truncated: "the text ends in the middle of a value"
    }
  }
}
