/// Reads the content of a form with files, in pieces of any length (`multipart/form-data`: RFC 7578, RFC 2046 §5.1).
///
/// It is strict: it accepts what browsers send, and refuses forms that two recipients could interpret differently. Text before the first
/// boundary or after the last one, other fields in a part's header, and spaces after a boundary are refused.
package struct MultipartReader: Sendable {
  package struct Limits: Hashable, Sendable {
    /// The maximum number of parts.
    package var parts: Int
    /// The maximum length of a part's header in bytes.
    package var header: Int

    package init(parts: Int, header: Int) {
      self.parts = parts
      self.header = header
    }
  }

  package enum Event: Hashable, Sendable {
    /// A part begins.
    case part(MultipartPart)
    /// The next bytes of the part's content. There can be several such events, or none.
    case content(ArraySlice<UInt8>)
    /// The part is complete.
    case partEnd
    /// More bytes are needed.
    case incomplete
    /// The form is complete.
    case end
  }

  private enum State: Sendable {
    case beginning, afterBoundary, header, contentBeginning, content, ended
  }

  private let limits: Limits
  /// The boundary with the line break and hyphens before it.
  private let delimiter: [UInt8]
  private var state = State.beginning
  private var parts = 0
  private var buffer: ArraySlice<UInt8> = []

  /// - Parameter contentType: the value of the request's `Content-Type`.
  /// - Returns: nil for any other type, and for a boundary with other characters than letters, digits, `-` and `_`, which browsers never send.
  package init?(contentType: String, limits: Limits) {
    let prefix = "multipart/form-data; boundary="
    guard contentType.hasPrefix(prefix) else { return nil }
    let boundary = Array(contentType.utf8.dropFirst(prefix.utf8.count))
    guard (1...70).contains(boundary.count), boundary.allSatisfy(Self.isOfBoundary) else { return nil }
    delimiter = Array("\r\n--".utf8) + boundary
    self.limits = limits
  }

  /// Appends the next bytes of the content. Call ``next()`` until it returns `incomplete` before appending more.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    buffer = buffer.isEmpty ? Array(bytes)[...] : Array(buffer + bytes)[...]
  }

  /// Returns the next event.
  package mutating func next() throws(MultipartError) -> Event {
    while true {
      switch state {
      case .beginning:
        // No line break precedes the first boundary.
        guard try skip(delimiter.dropFirst(2)) else { return .incomplete }
        state = .afterBoundary
      case .afterBoundary:
        guard buffer.count >= 2 else { return .incomplete }
        if buffer.starts(with: "\r\n".utf8) {
          buffer.removeFirst(2)
          guard parts < limits.parts else { throw .tooManyParts(limit: limits.parts) }
          parts += 1
          state = .header
        } else {
          guard try skip("--\r\n".utf8) else { return .incomplete }
          state = .ended
        }
      case .header:
        guard let part = try header() else { return .incomplete }
        state = .contentBeginning
        return .part(part)
      case .contentBeginning:
        // A boundary here would make the empty line a part of it for some recipients.
        let boundary = delimiter.dropFirst(2)
        if buffer.starts(with: boundary) { throw .noBoundary }
        if buffer.count < boundary.count, boundary.starts(with: buffer) { return .incomplete }
        state = .content
      case .content:
        if buffer.starts(with: delimiter) {
          buffer.removeFirst(delimiter.count)
          state = .afterBoundary
          return .partEnd
        }
        let content = contentBeforeDelimiter
        guard !content.isEmpty else { return .incomplete }
        buffer = buffer[content.endIndex...]
        return .content(content)
      case .ended:
        guard buffer.isEmpty else { throw .trailingBytes }
        return .end
      }
    }
  }

  /// Checks that the form is complete. Call this after the last byte.
  package func finish() throws(MultipartError) { guard case .ended = state else { throw .incomplete } }

  /// Removes expected bytes from the buffer.
  /// - Returns: false if more bytes are needed.
  private mutating func skip(_ expected: some Collection<UInt8>) throws(MultipartError) -> Bool {
    guard buffer.count >= expected.count else {
      guard buffer.elementsEqual(expected.prefix(buffer.count)) else { throw .noBoundary }
      return false
    }
    guard buffer.starts(with: expected) else { throw .noBoundary }
    buffer.removeFirst(expected.count)
    return true
  }

  private mutating func header() throws(MultipartError) -> MultipartPart? {
    let end = Array("\r\n\r\n".utf8)
    var rest = buffer.prefix(limits.header + 1)
    while let start = rest.firstIndex(of: end[0]) {
      if buffer[start...].starts(with: end) {
        let part = try MultipartPart(header: buffer[..<start])
        buffer = buffer[(start + end.count)...]
        return part
      }
      rest = rest[(start + 1)...]
    }
    guard buffer.count < limits.header + end.count else { throw .headerTooLong(limit: limits.header) }
    return nil
  }

  /// The bytes that certainly precede the next boundary.
  private var contentBeforeDelimiter: ArraySlice<UInt8> {
    var from = buffer.startIndex
    while let start = buffer[from...].firstIndex(of: delimiter[0]) {
      let rest = buffer[start...].prefix(delimiter.count)
      if rest.elementsEqual(delimiter.prefix(rest.count)) { return buffer[..<start] }
      from = start + 1
    }
    return buffer
  }

  private static func isOfBoundary(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
