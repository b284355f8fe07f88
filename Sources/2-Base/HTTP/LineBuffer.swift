/// Buffers received bytes and returns lines and runs of content from them.
///
/// Each byte of a line is examined once and in order, so the result does not depend on how the bytes were split across reads.
struct LineBuffer: Sendable {
  /// The result of searching for a line at the start of the buffer.
  enum Line {
    /// The end of the line has not been received yet.
    case incomplete
    /// A complete line, without its CRLF.
    case line(ArraySlice<UInt8>)
    /// The line does not end within the limit.
    case tooLong
    /// The line contains a control character, a bare CR or a bare LF (RFC 9112 §2.2, RFC 9110 §5.5). The text describes the error.
    case malformed(String)
  }

  private var bytes: [UInt8] = []
  /// The index of the first unused byte.
  private var start = 0
  /// The line at `start` has been examined up to this index.
  private var examined = 0

  var isEmpty: Bool { start == bytes.count }

  mutating func append(_ more: some Collection<UInt8>) {
    if isEmpty {
      bytes.removeAll(keepingCapacity: true)
      (start, examined) = (0, 0)
    } else if start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
      (start, examined) = (0, examined - start)
    }
    bytes.append(contentsOf: more)
  }

  mutating func removeAll() {
    bytes = []
    (start, examined) = (0, 0)
  }

  /// Removes and returns the next line if it is complete.
  /// - Parameter limit: the maximum length of the line in bytes, including its CRLF.
  mutating func nextLine(limit: Int) -> Line {
    let (end, fault) = examine(limit: limit)
    examined = end
    if let fault { return .malformed(fault) }
    if end > start, bytes[end - 1] == .lineFeed {
      defer { start = end }
      return .line(bytes[start..<(end - 2)])
    }
    return end < bytes.count ? .tooLong : .incomplete
  }

  /// Examines bytes up to the end of the line, the limit, the last byte or the first fault.
  /// - Returns: the index after the last valid byte, and a description of the fault.
  private func examine(limit: Int) -> (end: Int, fault: String?) {
    let received = bytes.span
    let last = min(bytes.count, start + limit)
    var index = examined
    var followsReturn = index > start && received[index - 1] == .carriageReturn
    while index < last {
      let byte = received[index]
      if followsReturn {
        return byte == .lineFeed
          ? (index + 1, nil) : (index, "a carriage return without a following line feed")
      }
      followsReturn = byte == .carriageReturn
      if !byte.isFieldContent, !followsReturn {
        return (
          index, byte == .lineFeed ? "a line feed without a preceding carriage return" : "a control character"
        )
      }
      index += 1
    }
    return (index, nil)
  }

  /// Removes and returns up to `count` bytes.
  mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
    let end = start + min(count, bytes.count - start)
    let content = bytes[start..<end]
    start = end
    examined = end
    return content
  }

  /// Whether the examined part of the first line contains a space.
  var containsSpace: Bool { bytes[start..<examined].contains(.space) }
}

/// The character classes of the HTTP grammar (RFC 5234 appendix B.1, RFC 9110 §5.5, §5.6.2).
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// `DIGIT`.
  var isDigit: Bool { 0x30...0x39 ~= self }

  /// `ALPHA`.
  var isLetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }

  /// `VCHAR`: printable US-ASCII except the space.
  var isVisible: Bool { 0x21...0x7E ~= self }

  /// `SP` or `HTAB`, the characters of optional whitespace (`OWS`).
  var isBlank: Bool { self == .space || self == .tab }

  /// A byte of a field value: `VCHAR`, `SP`, `HTAB` or `obs-text`. No other control characters are allowed (RFC 9110 §5.5).
  var isFieldContent: Bool { self == .tab || (self >= .space && self != 0x7F) }

  /// `tchar`, a character of methods and field names (RFC 9110 §5.6.2).
  var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: isDigit || isLetter
    }
  }

  /// A character of a registered name in an authority, apart from percent-encoded bytes: `unreserved` or `sub-delims`
  /// (RFC 3986 §3.2.2).
  var isRegisteredNameCharacter: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
      UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
      true
    default: isDigit || isLetter
    }
  }

  /// The value of a `HEXDIG` in either case, or nil.
  var hexDigitValue: Int? {
    switch self {
    case 0x30...0x39: Int(self) - 0x30
    case 0x41...0x46: Int(self) - 0x41 + 10
    case 0x61...0x66: Int(self) - 0x61 + 10
    default: nil
    }
  }

  /// The lower-case form of an ASCII letter; other bytes are unchanged.
  var foldedCase: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
