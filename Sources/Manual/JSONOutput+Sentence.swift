internal import Commands

extension JSONOutput {
  /// Returns the description of the output.
  /// - Parameter schema: the schema's name, with its markup.
  func sentence(_ schema: String) -> String {
    "With `--json`, the output conforms to the JSON Schema \(schema). Messages for people stay on standard error."
  }
}
