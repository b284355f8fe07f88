package import HTTP
internal import JSON
package import Platform

/// A response of the owner that does not follow this protocol.
package struct ControlFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Which part could not be read, and the reason.
  package let description: String

  init(_ what: String, _ reason: String) { description = "\(what) cannot be understood: \(reason)" }
}

/// Why a request is refused; sent in place of a document or a stream.
///
/// On the wire: `{"error":{"exit":64,"message":"…"}}`.
package struct ControlRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400 to 599.
  package let status: StatusCode
  /// The exit code of the command that asked.
  package let exit: ExitCode
  /// What is wrong, and what to do next.
  package let message: String
  /// The method that the route takes (RFC 9110 §10.2.1); for 405 only.
  let allowed: RequestMethod?

  package init(_ status: StatusCode, exit: ExitCode = .usage, _ message: String, allowed: RequestMethod? = nil) {
    self.status = status
    self.exit = exit
    self.message = message
    self.allowed = allowed
  }

  package var description: String { message }

  /// The whole response.
  package var response: Response {
    var writer = JSONWriter()
    writer.object { json in
      json.name("error")
      json.object { json in
        json.member("exit", exit.rawValue)
        json.member("message", message)
      }
    }
    var headers: HeaderFields = [.contentType: "application/json"]
    if let name = allowed?.name, let value = FieldValue(name) { headers.append("Allow", value) }
    return Response(status: status, headers: headers, body: writer.bytes + [UInt8(ascii: "\n")])
  }

  /// Reads a response that is no success. One of another server is described by its status alone.
  package init(status: StatusCode, body: [UInt8]) {
    var exit: ExitCode?
    var message: String?
    var cursor = JSONCursor(body, maximalDepth: 8)
    try? cursor.members { json, name in
      guard name == "error" else {
        try json.skip()
        return
      }
      try json.members { json, name in
        switch name {
        case "exit": exit = Int32(exactly: try json.integer()).flatMap { ExitCode(rawValue: $0) }
        case "message": message = try json.string()
        default: try json.skip()
        }
      }
    }
    self.init(
      status, exit: exit ?? .software, message ?? "the owner of the state answers with \(status) and says nothing more")
  }
}
