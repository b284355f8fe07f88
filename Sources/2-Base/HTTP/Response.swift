/// A response, received or to be sent (RFC 9112 §4).
package struct Response: Equatable, Sendable {
  package var status: StatusCode
  package var headers: HeaderFields
  package var body: [UInt8]

  package init(status: StatusCode, headers: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a plain text response with one line for a person to read.
  package init(status: StatusCode, text: String) {
    self.init(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array("\(text)\n".utf8))
  }

  /// Creates the response to a request that could not be parsed.
  package init(_ error: RequestError) { self.init(status: error.status, text: error.description) }
}

extension Response {
  /// Returns the complete response as bytes for a single write. Sending the head and the body together avoids a delay caused by Nagle's
  /// algorithm and delayed acknowledgements.
  ///
  /// This method generates `Content-Length`, `Connection`, `Date` and `Transfer-Encoding`, and ignores these fields in `headers`, so that a
  /// response cannot contradict its own framing.
  /// - Parameters:
  ///   - request: the request that this responds to; nil if it could not be parsed. For HEAD the body is omitted, but `Content-Length` is
  ///     the same as for GET (RFC 9110 §9.3.2).
  ///   - closing: whether the server closes the connection after this response.
  ///   - date: an IMF-fixdate (RFC 9110 §5.6.7); nil omits the field.
  package func serialized(for request: Request?, closing: Bool, date: FieldValue? = nil) -> [UInt8] {
    let length = HeaderFields.Field(.contentLength, FieldValue(body.count))
    var bytes = head(for: request, framing: status.excludesBody ? nil : length, closing: closing, date: date)
    if !status.excludesBody, request?.method != .head { bytes.append(contentsOf: body) }
    return bytes
  }

  /// Returns the head of a response whose content is sent apart from this value. The body of this value is ignored.
  /// - Parameter length: the length of the content in bytes.
  package func serializedHead(
    for request: Request, length: Int, closing: Bool, date: FieldValue? = nil
  ) -> [UInt8] {
    let field = HeaderFields.Field(.contentLength, FieldValue(length))
    return head(for: request, framing: status.excludesBody ? nil : field, closing: closing, date: date)
  }

  /// Returns how the end of the content is marked if the content is sent in pieces.
  package func framing(to request: Request) -> StreamFraming {
    if request.method == .head || status.excludesBody { return .none }
    return request.version == .http11 ? .chunked : .untilClose
  }

  /// Returns the head of a response whose content is sent in pieces. The body of this value is ignored.
  /// - Parameter framing: how the end of the content will be marked.
  package func serializedHead(
    for request: Request, framing: StreamFraming, closing: Bool, date: FieldValue? = nil
  ) -> [UInt8] {
    let field = framing == .chunked ? HeaderFields.Field.chunked : nil
    return head(for: request, framing: field, closing: closing || framing == .untilClose, date: date)
  }

  private func head(
    for request: Request?, framing: HeaderFields.Field?, closing: Bool, date: FieldValue?
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512 + body.count)
    bytes.append(contentsOf: HTTPVersion.http11.rawValue.utf8)
    bytes.append(.space)
    bytes.append(contentsOf: String(status.code).utf8)
    bytes.append(.space)
    bytes.append(contentsOf: status.reasonPhrase.utf8)
    bytes.append(.carriageReturn)
    bytes.append(.lineFeed)
    if let date { bytes.append(HeaderFields.Field(.date, date)) }
    for field in headers.fields where !Self.isGenerated(field.name) { bytes.append(field) }
    if let framing { bytes.append(framing) }
    if closing {
      bytes.append(.closing)
    } else if request?.version == .http10 {
      bytes.append(.keptAlive)  // HTTP/1.0 closes by default (RFC 9112 §9.3).
    }
    bytes.append(contentsOf: "\r\n".utf8)
    return bytes
  }

  private static func isGenerated(_ name: FieldName) -> Bool {
    name == .contentLength || name == .transferEncoding || name == .connection || name == .date
  }
}

/// Generated fields with constant values.
extension HeaderFields.Field {
  fileprivate static let chunked = HeaderFields.Field(.transferEncoding, "chunked")
  fileprivate static let closing = HeaderFields.Field(.connection, "close")
  fileprivate static let keptAlive = HeaderFields.Field(.connection, "keep-alive")
}
