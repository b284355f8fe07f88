/// Takes apart the response to a request of HTTP/1.0, as its bytes come: a status line, fields, and content up to the connection's end or
/// to the length that is told (RFC 9112 §6.3). Nobody sends interim responses or chunks to such a request (RFC 9110 §15.2, RFC 9112 §6.1).
///
/// How much content there may be is for the caller to say.
package struct ResponseReader: Sendable {
  /// The most bytes of the status line and the fields with their line ends, and the most fields.
  private static let headLimit = 16_384
  private static let fieldLimit = 100

  /// Status and fields, once they have come.
  package private(set) var head: (status: StatusCode, headers: HeaderFields)?
  private var lines = LineBuffer()
  private var line: StatusLine?
  private var headers = HeaderFields()
  private var budget = headLimit
  /// How much content is still to come; nil for all up to the connection's end.
  private var remaining: Int?

  package init() {}

  /// Whether nothing more is to come, whether the connection ends or not.
  package var isWhole: Bool { head != nil && remaining == 0 }

  /// Whether the response is whole when the connection ends now.
  package var mayEnd: Bool { head != nil && (remaining ?? 0) == 0 }

  /// Takes bytes in, whatever their cut.
  /// - Returns: the content among them. Bytes behind the told length are nobody's.
  package mutating func take(_ bytes: [UInt8]) throws(ResponseFault) -> [UInt8] {
    lines.append(bytes)
    while head == nil {
      guard let line = try nextLine() else { return [] }
      try read(line)
    }
    let content = lines.take(upTo: remaining ?? .max)
    remaining = remaining.map { $0 - content.count }
    return Array(content)
  }

  private mutating func nextLine() throws(ResponseFault) -> ArraySlice<UInt8>? {
    switch lines.nextLine(limit: budget) {
    case .incomplete: return nil
    case .line(let line):
      budget -= line.count + 2
      return line
    case .tooLong: throw ResponseFault("the head of the response is too large")
    case .malformed(let what): throw ResponseFault(what)
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) throws(ResponseFault) {
    guard let line else {
      line = try StatusLine(bytes)
      return
    }
    guard bytes.isEmpty else {
      guard headers.fields.count < Self.fieldLimit else { throw ResponseFault("too many header fields") }
      do throws(RequestRefusal) {
        let field = try HeaderFields.Field(line: bytes)
        return headers.append(field.name, field.value)
      } catch { throw ResponseFault(error) }
    }
    guard headers.first(.transferEncoding) == nil else {
      throw ResponseFault("a transfer coding, which HTTP/1.0 does not have")
    }
    remaining = line.status.excludesBody ? 0 : try length()
    head = (line.status, headers)
  }

  private func length() throws(ResponseFault) -> Int? {
    guard headers.first(.contentLength) != nil else { return nil }
    do throws(RequestRefusal) {
      guard case .length(let length) = try BodyFraming(of: headers, version: .http11) else { return 0 }
      return length
    } catch { throw ResponseFault(error) }
  }
}

/// The first line of an answer (RFC 9112 §4).
struct StatusLine {
  let version: HTTPVersion
  let status: StatusCode

  /// Reads a line without its CRLF: the version, the code, and a reason that means nothing but whose space must be there.
  init(_ line: ArraySlice<UInt8>) throws(ResponseFault) {
    let words = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false).map { Array($0) }
    guard words.count == 3 else { throw ResponseFault("the status line must be a version, a code and a reason") }
    let (version, code) = (words[0], words[1])
    guard version.count == 8, version.starts(with: "HTTP/1.".utf8), version[7].isDigit else {
      throw ResponseFault("the version of HTTP is not one of HTTP/1")
    }
    guard code.count == 3, code.allSatisfy(\.isDigit), let number = Int(String(decoding: code, as: UTF8.self)),
      (100...599).contains(number)
    else { throw ResponseFault("the status is not one of the classes 1 to 5") }
    self.version = version[7] == UInt8(ascii: "0") ? .http10 : .http11
    status = StatusCode(number)
  }
}

/// Why bytes are not taken as an answer. Nothing after them on the connection can be trusted.
package struct ResponseFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// A few words; nothing in it came from the server.
  package let description: String

  init(_ description: String) { self.description = description }

  /// What both kinds of messages have in common is judged by the same rules.
  init(_ refusal: RequestRefusal) { self.init(refusal.reason) }
}
