package import HTTP
package import JSON

/// A request to the owner of the state: its route, its content and the form of its response.
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

/// The form of a successful response.
package enum ControlResponseForm: Sendable {
  /// One JSON document.
  case document
  /// One event per line: events of these types and `NoticeEvent`s, and finally an `EndEvent`.
  case events([any ControlEvent.Type])
  /// Status 204, without content.
  case nothing
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

/// The method and path of a request.
package struct ControlRoute: Sendable, Hashable {
  let method: RequestMethod
  /// The path. A segment in braces is a parameter, as in `/v1/logins/{login}/input`.
  package let path: String
  /// The name of the only parameter that the query may contain; nil if the route accepts no query.
  let queryParameter: String?

  package static func get(_ path: String, queryParameter: String? = nil) -> ControlRoute {
    ControlRoute(method: .get, path: path, queryParameter: queryParameter)
  }

  package static func post(_ path: String) -> ControlRoute {
    ControlRoute(method: .post, path: path, queryParameter: nil)
  }

  /// Returns the request target with these parameter values.
  func target(_ parameters: [String: String]) -> String {
    let path = Self.segments(path).map { segment in
      "/" + (Self.parameterName(segment).map { parameters[$0] ?? "" } ?? String(segment))
    }.joined()
    guard let name = queryParameter, let value = parameters[name] else { return path }
    return "\(path)?\(name)=\(PercentEncoding.encoded(value))"
  }

  /// Returns the values of the path's parameters; nil if the path belongs to a different route.
  func match(_ path: String) -> [String: String]? {
    let (expected, found) = (Self.segments(self.path), Self.segments(path))
    guard expected.count == found.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, text) in zip(expected, found) {
      if let name = Self.parameterName(segment) {
        guard Self.isParameterValue(text) else { return nil }
        parameters[name] = String(text)
      } else if segment != text {
        return nil
      }
    }
    return parameters
  }

  /// Reads the query of a request to this route.
  func value(ofQuery query: String?, at path: String) throws(ControlError) -> [String: String] {
    guard let query else { return [:] }
    guard let name = queryParameter else {
      throw ControlError(.badRequest, "\(path) accepts no query; put the parameters into the content, as JSON")
    }
    if query.isEmpty { return [:] }
    let parts = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == name, !parts[1].contains("&") else {
      throw ControlError(.badRequest, "the query must be \(name)=VALUE, and nothing else")
    }
    guard let value = PercentEncoding.decoded(parts[1]) else {
      throw ControlError(.badRequest, "the \(name) in the query has an invalid percent escape")
    }
    return [name: value]
  }

  private static func segments(_ path: String) -> ArraySlice<Substring> {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
  }

  private static func parameterName(_ segment: Substring) -> String? {
    segment.hasPrefix("{") && segment.hasSuffix("}") ? String(segment.dropFirst().dropLast()) : nil
  }

  /// Returns whether the text can be a path segment without escapes.
  private static func isParameterValue(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

/// A request that arrived at a route.
package struct ReceivedRequest: Sendable {
  /// The values of the route's parameters by name.
  package let parameters: [String: String]
  private let body: [UInt8]

  /// Decodes an HTTP request as one of these types. The content type is not checked, so that `curl -d` works.
  package static func read(
    _ request: Request, among types: [any ControlRequest.Type]
  ) throws(ControlError) -> any ControlRequest {
    let path = request.target.path
    for type in types {
      let route = type.route
      guard let parameters = route.match(path) else { continue }
      guard request.method == route.method else {
        throw ControlError(.methodNotAllowed, "\(path) accepts \(route.method) only", allowed: route.method)
      }
      let query = try route.value(ofQuery: request.target.query, at: path)
      return try type.init(ReceivedRequest(parameters: parameters.merging(query) { $1 }, body: request.body))
    }
    throw ControlError(.notFound, "\(path) does not exist")
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

/// Percent encoding in a query (RFC 3986 §2.1).
enum PercentEncoding {
  /// Escapes all characters except unreserved ones (RFC 3986 §2.3).
  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the decoded text; nil if an escape is invalid.
  static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(value(ofDigit:)), let low = rest.popFirst().flatMap(value(ofDigit:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func value(ofDigit byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
