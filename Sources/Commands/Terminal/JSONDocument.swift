package import JSON

/// A command's output with `--json`: one object.
package enum JSONDocument {
  /// Returns the bytes of the object, with a line feed at their end. The first member is `schema`, the version of the format.
  /// - Parameter members: writes the other members.
  package static func bytes(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", 1)
      members(&json)
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
