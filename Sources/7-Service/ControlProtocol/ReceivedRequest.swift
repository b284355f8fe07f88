internal import HTTP
package import JSON

/// A request that arrived at a route.
package struct ReceivedRequest: Sendable {
  /// The values of the route's parameters by name.
  package let parameters: [String: String]
  private let body: [UInt8]

  init(parameters: [String: String], body: [UInt8]) {
    self.parameters = parameters
    self.body = body
  }

  /// Reads the content: a JSON object without unknown members. Empty content counts as an empty object.
  /// - Parameter readMember: reads the value of the member with the given name, or returns false if the member is unknown.
  package func members(_ readMember: (inout JSONCursor, JSONName) throws -> Bool) throws(ControlError) {
    guard !body.isEmpty else { return }
    var cursor = JSONCursor(body, maximalDepth: 4)
    do {
      try cursor.members { json, name in
        let position = json.position()
        do {
          guard try !readMember(&json, name) else { return }
        } catch let error as JSONError {
          throw ControlError(.badRequest, "the content's member \(Self.quoted(name.text)): \(error)")
        }
        throw ControlError(.badRequest, "the content has an unknown member \(Self.quoted(name.text)): \(position)")
      }
      try cursor.end()
    } catch let refusal as ControlError {
      throw refusal
    } catch {
      throw ControlError(.badRequest, "the content is invalid: \(error)")
    }
  }

  /// Returns a member's name as a JSON string, with control characters escaped, shortened if it is long.
  private static func quoted(_ name: String) -> String {
    var writer = JSONWriter()
    writer.string(String(name.prefix(64)))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
