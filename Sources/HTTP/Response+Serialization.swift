extension Response {
  /// The whole answer as bytes for one write: head and body leave together, so that no delayed acknowledgement
  /// stands between them.
  ///
  /// `Content-Length`, `Connection`, `Date` and the transfer coding are made here; the same fields among the headers are
  /// left out, so an answer cannot contradict its own framing.
  /// - Parameters:
  ///   - request: what is answered; nil if it could not be read. HEAD gets the headers only, with the length that
  ///     GET would have (RFC 9110 §9.3.2).
  ///   - closing: whether the connection ends with this answer; the server's word, whatever the client asked for.
  ///   - date: an IMF-fixdate (RFC 9110 §5.6.7); nil leaves the field out.
  package func serialized(for request: Request?, closing: Bool, date: FieldValue? = nil) -> [UInt8] {
    let length = HeaderFields.Field(.contentLength, FieldValue(body.count))
    var bytes = head(for: request, framing: status.excludesBody ? nil : length, closing: closing, date: date)
    if !status.excludesBody, request?.method != .head { bytes.append(contentsOf: body) }
    return bytes
  }

  /// The head alone, of an answer whose content follows piece by piece. The body of this value is left out.
  /// - Parameter framing: what the content will be framed by; the head says so.
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
    for field in headers.fields where !Self.isMadeHere(field.name) { bytes.append(field) }
    if let framing { bytes.append(framing) }
    if closing {
      bytes.append(.closing)
    } else if request?.version == .http10 {
      bytes.append(.keptAlive)  // RFC 9112 §9.3: 1.0 has to be told.
    }
    bytes.append(contentsOf: "\r\n".utf8)
    return bytes
  }

  private static func isMadeHere(_ name: FieldName) -> Bool {
    name == .contentLength || name == .transferEncoding || name == .connection || name == .date
  }
}

/// The fields made here whose values are known: a value is checked when it is made, so these are made once.
extension HeaderFields.Field {
  fileprivate static let chunked = HeaderFields.Field(.transferEncoding, "chunked")
  fileprivate static let closing = HeaderFields.Field(.connection, "close")
  fileprivate static let keptAlive = HeaderFields.Field(.connection, "keep-alive")
}
