package import JSON
package import TerminalText

/// A command's output with `--json`: one object.
package enum JSONDocument {
  /// Returns the object, with a line feed at its end. The first member is `schema`, the version of the format.
  /// - Parameter members: writes the other members.
  package static func output(_ members: (inout JSONWriter) -> Void) -> ProgramOutput {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", 1)
      members(&json)
    }
    return .data(OutputData(json: writer.bytes + [UInt8(ascii: "\n")]))
  }
}
