/// The type of an operand or of an option's value, which determines how values are parsed, printed and completed.
package struct ArgumentType<Value: Sendable>: Sendable {
  /// The name of the value in the usage line, such as `SECONDS`.
  let placeholder: String
  let completion: CompletionKind
  let parse: @Sendable (GivenArgument) throws(ArgumentError) -> Value
  /// Returns a value as the user would type it.
  let text: @Sendable (Value) -> String

  package init(
    _ placeholder: String, _ completion: CompletionKind = .none,
    text: @escaping @Sendable (Value) -> String = { "\($0)" },
    parse: @escaping @Sendable (GivenArgument) throws(ArgumentError) -> Value
  ) {
    self.placeholder = placeholder
    self.completion = completion
    self.text = text
    self.parse = parse
  }
}
