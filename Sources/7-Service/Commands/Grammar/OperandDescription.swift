/// An operand's documentation.
package struct OperandDescription: Sendable, Hashable {
  package let placeholder: String
  package let count: OperandCount
  package let completion: CompletionKind

  /// The operand in the usage line: `ACCOUNT`, `[ACCOUNT]`, `ACCOUNT ...` or `[ACCOUNT ...]`.
  package var usage: String {
    let text = count.isRepeated ? "\(placeholder) ..." : placeholder
    return count.isRequired ? text : "[\(text)]"
  }
}
