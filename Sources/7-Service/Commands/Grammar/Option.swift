internal import Time

/// An option with a value.
package struct Option<Value: Sendable>: DeclaredOption {
  package let description: OptionDescription
  let type: ArgumentType<Value>
  let defaultValue: Value?

  /// - Parameter placeholder: the placeholder to use instead of the type's placeholder.
  package init(
    _ name: String, _ type: ArgumentType<Value>, placeholder: String? = nil, default defaultValue: Value? = nil,
    _ help: String
  ) {
    self.type = type
    self.defaultValue = defaultValue
    description = OptionDescription(
      name: name, placeholder: placeholder ?? type.placeholder, help: help, defaultText: defaultValue.map(type.text),
      completion: type.completion)
  }

  package func settled(_ given: GivenArgument) -> String {
    guard Value.self == Timestamp.self, let value = try? type.parse(given) else { return given.text }
    return type.text(value)
  }
}
