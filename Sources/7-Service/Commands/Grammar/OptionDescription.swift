/// An option's documentation.
package struct OptionDescription: Sendable, Hashable {
  /// The name with its dashes, such as `--timeout`.
  package let name: String
  /// The name of the option's value in the usage line; nil for a flag.
  package let placeholder: String?
  /// The explanation, without the default.
  package let help: String
  let defaultText: String?
  package let completion: CompletionKind

  /// The option in the usage line, such as `--timeout SECONDS`.
  package var usage: String { placeholder.map { "\(name) \($0)" } ?? name }

  /// The explanation, including the default.
  package var helpWithDefault: String { help + (defaultText.map { " (default \($0))" } ?? "") }
}
