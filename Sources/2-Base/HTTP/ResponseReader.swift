/// Parses the response to an HTTP/1.0 request from bytes as they arrive: a status line, header fields, and content that ends with the
/// connection or after `Content-Length` bytes (RFC 9112 §6.3).
///
/// Interim responses and chunks are errors, because servers must not send them to HTTP/1.0 clients (RFC 9110 §15.2, RFC 9112 §6.1). The
/// caller must limit the size of the content.
package struct ResponseReader: Sendable {
  /// The maximum size of the status line and the header fields in bytes, including line ends.
  private static let headLimit = 16_384
  /// The maximum number of header fields.
  private static let fieldLimit = 100

  /// The status and the header fields; nil until all of them have been received.
  package private(set) var head: (status: StatusCode, headers: HeaderFields)?
  private var lines = LineBuffer()
  private var line: StatusLine?
  private var headers = HeaderFields()
  private var budget = headLimit
  /// The number of content bytes still expected; nil if the content ends with the connection.
  private var remaining: Int?

  package init() {}

  /// Whether the response is complete, even if the connection stays open.
  package var isComplete: Bool { head != nil && remaining == 0 }

  /// Whether the response would be complete if the connection ended now.
  package var mayEnd: Bool { head != nil && (remaining ?? 0) == 0 }

  /// Adds received bytes.
  /// - Returns: the bytes that belong to the content. Bytes after the announced length are ignored.
  package mutating func take(_ bytes: [UInt8]) throws(ResponseError) -> [UInt8] {
    lines.append(bytes)
    while head == nil {
      guard let line = try nextLine() else { return [] }
      try read(line)
    }
    let content = lines.take(upTo: remaining ?? .max)
    remaining = remaining.map { $0 - content.count }
    return Array(content)
  }

  private mutating func nextLine() throws(ResponseError) -> ArraySlice<UInt8>? {
    switch lines.nextLine(limit: budget) {
    case .incomplete: return nil
    case .line(let line):
      budget -= line.count + 2
      return line
    case .tooLong: throw ResponseError("the response head is too large")
    case .malformed(let description): throw ResponseError(description)
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) throws(ResponseError) {
    guard let line else {
      line = try StatusLine(bytes)
      return
    }
    guard bytes.isEmpty else {
      guard headers.fields.count < Self.fieldLimit else { throw ResponseError("too many header fields") }
      do throws(RequestError) {
        let field = try HeaderFields.Field(line: bytes)
        return headers.append(field.name, field.value)
      } catch { throw ResponseError(error) }
    }
    guard headers.first(.transferEncoding) == nil else {
      throw ResponseError("the response has a transfer coding, which HTTP/1.0 does not support")
    }
    remaining = line.status.excludesBody ? 0 : try length()
    head = (line.status, headers)
  }

  private func length() throws(ResponseError) -> Int? {
    guard headers.first(.contentLength) != nil else { return nil }
    do throws(RequestError) {
      guard case .length(let length) = try BodyFraming(of: headers, version: .http11) else { return 0 }
      return length
    } catch { throw ResponseError(error) }
  }
}

/// The first line of a response (RFC 9112 §4).
struct StatusLine {
  let status: StatusCode

  /// Parses a line without its CRLF: the version, the status code and a reason phrase, which is ignored and may be empty.
  init(_ line: ArraySlice<UInt8>) throws(ResponseError) {
    let parts = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count == 3 else {
      throw ResponseError("the status line must consist of a version, a status code and a reason phrase")
    }
    let (version, code) = (parts[0], parts[1])
    guard version.count == 8, version.starts(with: "HTTP/1.".utf8), version[7].isDigit else {
      throw ResponseError("the response is not HTTP/1.0 or HTTP/1.1")
    }
    guard code.count == 3, code.allSatisfy(\.isDigit), let number = Int(String(decoding: code, as: UTF8.self)),
      (100...599).contains(number)
    else { throw ResponseError("the status code is not between 100 and 599") }
    status = StatusCode(number)
  }
}

/// The error in a malformed response. The rest of the connection's input cannot be trusted.
package struct ResponseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A short description that never repeats what the server sent.
  package let description: String

  init(_ description: String) { self.description = description }

  /// Converts an error from the rules shared by requests and responses.
  init(_ error: RequestError) { self.init(error.reason) }
}
