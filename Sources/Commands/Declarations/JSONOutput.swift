/// The output of a command as JSON, which the command writes with `--json`.
///
/// If a command has a schema, the parser, the help, the manual and the completions have the option, and a test runs the command and checks
/// its output.
package struct JSONOutput: Sendable, Hashable {
  /// The name of the schema: the output conforms to `docs/schema/NAME.schema.json`.
  package let schema: String

  package init(schema: String) { self.schema = schema }

  static let flag = Flag("--json", "print the result as JSON")
}

extension Arguments {
  /// Whether the output is to be JSON.
  package var isJSON: Bool { has(JSONOutput.flag) }
}
