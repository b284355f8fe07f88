/// A command's JSON output, which it writes with `--json`.
///
/// If a command has a schema, the parser, the help, the manual and the completions include the option, and a test runs the command and
/// checks its output.
package struct JSONOutput: Sendable, Hashable {
  /// The schema's name: the output conforms to `docs/schema/NAME.schema.json`.
  package let schema: String

  package init(schema: String) { self.schema = schema }

  static let flag = Flag("--json", "print the result as JSON")
}

extension Arguments {
  /// Whether the command prints JSON.
  package var isJSON: Bool { has(JSONOutput.flag) }
}
