package import Time

/// The text of an operand or of an option's value.
package struct GivenArgument: Sendable {
  package let text: String
  /// The option's name, or the operand's placeholder.
  package let label: String
  package let now: Timestamp
  /// The time zone of times without one.
  package let zone: LocalZone
}
