/// The number of values that an operand accepts.
package enum OperandCount: Sendable, Hashable {
  case one, optional, oneOrMore, zeroOrMore

  package var isRepeated: Bool { self == .oneOrMore || self == .zeroOrMore }
  package var isRequired: Bool { self == .one || self == .oneOrMore }
}
