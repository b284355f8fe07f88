/// An operand with a value of one type.
package struct Operand<Value: Sendable>: Sendable {
  package let description: OperandDescription
  let type: ArgumentType<Value>
  /// The number of operands before this one.
  let position: Int

  package init(
    _ type: ArgumentType<Value>, _ count: OperandCount = .one, placeholder: String? = nil, at position: Int = 0
  ) {
    self.type = type
    self.position = position
    description = OperandDescription(
      placeholder: placeholder ?? type.placeholder, count: count, completion: type.completion)
  }
}
