internal import HTTP
internal import JSON

/// The content of a request: one JSON object in which every member must be known. None at all is an empty object.
enum ControlBody {
  /// - Parameter take: takes the value of the member of that name, or answers false, having taken nothing.
  static func read(
    _ body: [UInt8], _ take: (inout JSONCursor, JSONName) throws -> Bool
  ) throws(ControlRefusal) {
    guard !body.isEmpty else { return }
    var cursor = JSONCursor(body, maximalDepth: 4)
    do {
      try cursor.members { json, name in
        let place = json.place()
        do {
          guard try !take(&json, name) else { return }
        } catch let error as JSONError {
          throw ControlRefusal(.badRequest, "the content's member \(quoted(name.text)): \(error)")
        }
        throw ControlRefusal(.badRequest, "the content has an unknown member \(quoted(name.text)): \(place)")
      }
      try cursor.end()
    } catch let refusal as ControlRefusal {
      throw refusal
    } catch {
      throw ControlRefusal(.badRequest, "the content is not what is expected: \(error)")
    }
  }

  /// A name from outside, as JSON writes it: no control character gets through, and it has an end.
  private static func quoted(_ name: String) -> String {
    var writer = JSONWriter()
    writer.string(String(name.prefix(64)))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
