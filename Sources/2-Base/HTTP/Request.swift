/// A request, received or to be sent (RFC 9112 §3).
package struct Request: Equatable, Sendable {
  package var method: RequestMethod
  package var target: RequestTarget
  package var version: HTTPVersion
  package var headers: HeaderFields
  /// The content, with the transfer coding removed.
  package var body: [UInt8]
  /// Whether the request announces content that was not read, because the parser's limits allow no content. If so, the connection must be
  /// closed after the response.
  package var announcesBody: Bool

  package init(
    method: RequestMethod, target: RequestTarget, version: HTTPVersion = .http11, headers: HeaderFields = [:],
    body: [UInt8] = [], announcesBody: Bool = false
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
    self.body = body
    self.announcesBody = announcesBody
  }

  /// Whether the client allows the connection to stay open after the response (RFC 9112 §9.3).
  package var keepsAlive: Bool {
    if announcesBody || headers.lists("close", in: .connection) { return false }
    switch version {
    case .http11: return true
    case .http10: return headers.lists("keep-alive", in: .connection)
    }
  }

  /// The host and port that the request is addressed to: the target's authority if it has one, otherwise `Host` (RFC 9112 §3.2.2, §3.3).
  package var authority: Authority? {
    switch target.form {
    case .absolute(_, let authority), .authority(let authority): authority
    case .origin, .asterisk: headers.first(.host).flatMap { Authority($0) }
    }
  }
}

extension Request {
  /// Returns the complete request as bytes. `Content-Length` is computed from the body; any `Content-Length` and `Transfer-Encoding` among
  /// the headers are ignored.
  package func serialized() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256 + body.count)
    bytes.append(contentsOf: "\(method.name) \(target.raw) \(version.rawValue)\r\n".utf8)
    for field in headers.fields where field.name != .contentLength && field.name != .transferEncoding {
      bytes.append(field)
    }
    if !body.isEmpty || method == .post || method == .put || method == .patch {
      bytes.append(HeaderFields.Field(.contentLength, FieldValue(body.count)))  // RFC 9110 §8.6
    }
    bytes.append(contentsOf: "\r\n".utf8)
    bytes.append(contentsOf: body)
    return bytes
  }
}
