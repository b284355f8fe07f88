package import HTTP
package import JSON

/// A request to the state owner: its route, its content and the form of its response.
///
/// Each request is declared in one file of `Control/Requests`, together with the events in its response. `HandledRequest`, in the target
/// Service, adds the implementation.
package protocol ControlRequest: Sendable, Hashable {
  static var route: ControlRoute { get }

  /// The form of the response to an accepted request.
  static var response: ControlResponseForm { get }

  /// Decodes a request that arrived at this route.
  init(_ received: ReceivedRequest) throws(ControlError)

  /// The values of the route's parameters by name.
  var parameters: [String: String] { get }

  /// Writes the members of the content, which is a JSON object.
  func write(to json: inout JSONWriter)
}

extension ControlRequest {
  package var parameters: [String: String] { [:] }
  package func write(to json: inout JSONWriter) {}
}

extension ControlRequest {
  /// The request as HTTP/1.0. Each request uses its own connection, whose end marks the end of the events.
  package var httpRequest: Request {
    let (method, text) = (Self.route.method, Self.route.target(parameters))
    guard let target = RequestTarget(text, of: method) else { preconditionFailure("\(text) fits into a request line") }
    // The socket's path identifies the server, but some servers require `Host` anyway.
    var headers: HeaderFields = [.host: "localhost"]
    let body = content
    if !body.isEmpty { headers.append(.contentType, "application/json") }
    return Request(method: method, target: target, version: .http10, headers: headers, body: body)
  }

  /// The content; empty for an object without members.
  private var content: [UInt8] {
    var writer = JSONWriter()
    writer.object { write(to: &$0) }
    return writer.bytes == Array("{}".utf8) ? [] : writer.bytes
  }
}
