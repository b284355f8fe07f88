internal import HTTP
internal import JSON
internal import Time

/// A member of a request's content: its name, and how its value is read and written. A request that lists its members uses the list in
/// both directions.
struct RequestMember<Request>: Sendable {
  let name: String
  let read: @Sendable (inout Request, inout JSONCursor) throws -> Void
  let write: @Sendable (Request, inout JSONWriter) -> Void

  init(
    _ name: String, read: @escaping @Sendable (inout Request, inout JSONCursor) throws -> Void,
    write: @escaping @Sendable (Request, inout JSONWriter) -> Void
  ) {
    self.name = name
    self.read = read
    self.write = write
  }

  init(_ name: String, _ path: any WritableKeyPath<Request, String> & Sendable) {
    self.init(name, read: { $0[keyPath: path] = try $1.string() }, write: { $1.member(name, $0[keyPath: path]) })
  }

  init(_ name: String, _ path: any WritableKeyPath<Request, String?> & Sendable) {
    self.init(name, read: { $0[keyPath: path] = try $1.stringOrNull() }, write: { $1.member(name, $0[keyPath: path]) })
  }

  /// - Parameter isOmittedIfFalse: for a member that was added later, because earlier versions of the service refuse unknown members.
  init(_ name: String, _ path: any WritableKeyPath<Request, Bool> & Sendable, isOmittedIfFalse: Bool = false) {
    self.init(
      name, read: { $0[keyPath: path] = try $1.boolean() },
      write: { if $0[keyPath: path] || !isOmittedIfFalse { $1.member(name, $0[keyPath: path]) } })
  }

  init(_ name: String, _ path: any WritableKeyPath<Request, Int> & Sendable) {
    self.init(
      name, read: { $0[keyPath: path] = try $1.integer(in: 0...Int(Int32.max)) },
      write: { $1.member(name, $0[keyPath: path]) })
  }

  init(_ name: String, _ path: any WritableKeyPath<Request, [String]> & Sendable) {
    self.init(
      name, read: { $0[keyPath: path] = try $1.list { json in try json.string() } },
      write: { $1.member(name, list: $0[keyPath: path]) { $0.string($1) } })
  }

  /// A time as in RFC 3339.
  init(_ name: String, _ path: any WritableKeyPath<Request, Timestamp?> & Sendable) {
    self.init(
      name,
      read: { request, json in
        request[keyPath: path] = try json.stringOrNull().map { text throws(ControlError) in
          guard let time = Timestamp(rfc3339: text) else {
            throw ControlError(.badRequest, "\(name) must be an RFC 3339 time")
          }
          return time
        }
      }, write: { $1.member(name, $0[keyPath: path]?.rfc3339) })
  }
}

extension ReceivedRequest {
  /// Reads the content into a request. A member that the content lacks keeps its value.
  /// - Returns: the names of the members in the content.
  @discardableResult
  func read<Request>(
    _ members: [RequestMember<Request>], into request: inout Request
  ) throws(ControlError) -> Set<String> {
    var found: Set<String> = []
    var read = request
    try self.members { json, name in
      let name = name.text
      guard let member = members.first(where: { $0.name == name }) else { return false }
      try member.read(&read, &json)
      found.insert(member.name)
      return true
    }
    request = read
    return found
  }
}

extension JSONWriter {
  /// Writes the members of a request.
  mutating func members<Request>(_ members: [RequestMember<Request>], of request: Request) {
    for member in members { member.write(request, &self) }
  }
}
