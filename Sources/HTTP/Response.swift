/// An answer (RFC 9112 §4): one that was received, or one to be sent.
package struct Response: Equatable, Sendable {
  package var status: StatusCode
  package var headers: HeaderFields
  package var body: [UInt8]

  package init(status: StatusCode, headers: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A line of plain text, for people who look at an error.
  package init(status: StatusCode, text: String) {
    self.init(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array("\(text)\n".utf8))
  }

  /// The response to bytes that are refused as a request.
  package init(_ refusal: RequestRefusal) { self.init(status: refusal.status, text: refusal.description) }
}

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

/// How the end of an answer's content is marked when its length is not known as its head leaves.
package enum StreamFraming: Equatable, Sendable {
  /// In chunks, of which the last is empty (RFC 9112 §7.1).
  case chunked
  /// By the connection's end (RFC 9112 §6.3, rule 8): HTTP/1.0 knows no transfer coding.
  case untilClose
  /// There is no content: HEAD was asked, or the status has none (RFC 9110 §9.3.2, §6.4.1).
  case none

  package init(of response: Response, to request: Request) {
    if request.method == .head || response.status.excludesBody {
      self = .none
    } else {
      self = request.version == .http11 ? .chunked : .untilClose
    }
  }

  /// A piece of the content as it goes over the wire; empty for an empty one, since an empty chunk would be the end.
  package func framed(_ piece: [UInt8]) -> [UInt8] {
    switch self {
    case .none: []
    case .untilClose: piece
    case .chunked:
      piece.isEmpty ? [] : Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
  }

  /// What follows the last piece; without trailers.
  package var end: [UInt8] { self == .chunked ? Array("0\r\n\r\n".utf8) : [] }
}
