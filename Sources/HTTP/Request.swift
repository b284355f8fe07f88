/// A request as it was received (RFC 9112 §3) or is to be sent.
package struct Request: Equatable, Sendable {
  package var method: RequestMethod
  package var target: RequestTarget
  package var version: HTTPVersion
  package var headers: HeaderFields
  /// The content, after the transfer coding was taken off.
  package var body: [UInt8]
  /// Whether content is announced that the parser's limits allow none of, so that it was not read: the answer
  /// may only be a final one, and the connection ends with it.
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

  /// Whether the connection outlives the answer as far as the client is concerned (RFC 9112 §9.3).
  package var keepsAlive: Bool {
    if announcesBody || headers.lists("close", in: .connection) { return false }
    switch version {
    case .http11: return true
    case .http10: return headers.lists("keep-alive", in: .connection)
    }
  }

  /// Whom the request is for: the target's authority where it has one, `Host` otherwise (RFC 9112 §3.2.2, §3.3).
  package var authority: Authority? {
    switch target.form {
    case .absolute(_, let authority), .authority(let authority): authority
    case .origin, .asterisk: headers.first(.host).flatMap { Authority($0) }
    }
  }
}
