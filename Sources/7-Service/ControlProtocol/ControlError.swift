package import HTTP
internal import JSON
package import Platform

/// The response to a refused request, in place of a document or a stream.
///
/// On the wire: `{"error":{"exit":64,"message":"…"}}`.
package struct ControlError: UserFacingError, Hashable {
  /// The HTTP status, 400 to 599.
  package let status: StatusCode
  /// The exit code for a command that gets this response.
  package let exitCode: ExitCode
  /// The problem, and what to do about it.
  package let message: String
  /// The method that the route accepts (RFC 9110 §10.2.1); set only for status 405.
  let allowed: RequestMethod?

  package init(_ status: StatusCode, exit: ExitCode = .usage, _ message: String, allowed: RequestMethod? = nil) {
    self.status = status
    exitCode = exit
    self.message = message
    self.allowed = allowed
  }

  /// The error as an HTTP response.
  package var response: Response {
    var writer = JSONWriter()
    writer.object { json in
      json.name("error")
      json.object { json in
        json.member("exit", exitCode.rawValue)
        json.member("message", message)
      }
    }
    var headers: HeaderFields = [.contentType: "application/json"]
    if let name = allowed?.name, let value = FieldValue(name) { headers.append("Allow", value) }
    return Response(status: status, headers: headers, body: writer.bytes + [UInt8(ascii: "\n")])
  }

  /// Reads an error response. If it does not follow this protocol, only its status is known.
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
        case "exit": exit = try json.number().integer(in: 0...255).flatMap { ExitCode(rawValue: $0) }
        case "message": message = try json.string()
        default: try json.skip()
        }
      }
    }
    self.init(
      status, exit: exit ?? .software,
      message ?? "the process that uses the accounts replied with status \(status) and no message")
  }
}
