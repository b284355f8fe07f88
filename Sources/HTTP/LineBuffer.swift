/// Bytes that came in and were not used yet, out of which lines and runs of content are taken.
///
/// Each byte of a line is judged once and in its order, so it makes no difference how the bytes were cut on their way.
struct LineBuffer: Sendable {
  /// What stands at the front of the buffer.
  enum Line {
    /// The line has no end yet.
    case incomplete
    /// A whole line, without its CRLF.
    case line(ArraySlice<UInt8>)
    /// There is no end within the limit.
    case tooLong
    /// A byte that may not be in a line: a control byte, a bare CR or a bare LF (RFC 9112 §2.2, RFC 9110 §5.5).
    case malformed(String)
  }

  private var bytes: [UInt8] = []
  /// The first byte that was not used yet.
  private var start = 0
  /// How far the line at `start` was judged.
  private var judged = 0

  var isEmpty: Bool { start == bytes.count }

  mutating func append(_ more: some Collection<UInt8>) {
    if isEmpty {
      bytes.removeAll(keepingCapacity: true)
      (start, judged) = (0, 0)
    } else if start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
      (start, judged) = (0, judged - start)
    }
    bytes.append(contentsOf: more)
  }

  mutating func removeAll() {
    bytes = []
    (start, judged) = (0, 0)
  }

  /// Takes the next line if it is whole.
  /// - Parameter limit: the most bytes that the line may have, its CRLF among them.
  mutating func nextLine(limit: Int) -> Line {
    while judged < bytes.count {
      if judged - start >= limit { return .tooLong }
      let byte = bytes[judged]
      let followsReturn = judged > start && bytes[judged - 1] == .carriageReturn
      if byte == .lineFeed {
        guard followsReturn else { return .malformed("a line feed without a carriage return") }
        let line = bytes[start..<(judged - 1)]
        judged += 1
        start = judged
        return .line(line)
      }
      if followsReturn { return .malformed("a carriage return without a line feed") }
      guard byte.isFieldContent || byte == .carriageReturn else { return .malformed("a control byte") }
      judged += 1
    }
    return .incomplete
  }

  /// Takes up to `count` bytes, whatever they are.
  mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
    let end = start + min(count, bytes.count - start)
    let taken = bytes[start..<end]
    start = end
    judged = end
    return taken
  }

  /// Whether there is a space in what was judged so far of the line at the front.
  var frontHoldsSpace: Bool { bytes[start..<judged].contains(.space) }
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

  /// `VCHAR`: printable US-ASCII without the space.
  var isVisible: Bool { 0x21...0x7E ~= self }

  /// `SP` or `HTAB`, what optional whitespace (`OWS`) is made of.
  var isBlank: Bool { self == .space || self == .tab }

  /// What a field's value may hold: `VCHAR`, `SP`, `HTAB` and `obs-text`; no other control byte (RFC 9110 §5.5).
  var isFieldContent: Bool { self == .tab || (self >= .space && self != 0x7F) }

  /// `tchar`, what methods and field names are made of (RFC 9110 §5.6.2).
  var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: isDigit || isLetter
    }
  }

  /// What a registered name in an authority may hold besides percent-encoded bytes: `unreserved` and
  /// `sub-delims` (RFC 3986 §3.2.2).
  var isRegisteredNameCharacter: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
      UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
      true
    default: isDigit || isLetter
    }
  }

  /// The value of a `HEXDIG` of either case, or nil.
  var hexDigitValue: Int? {
    switch self {
    case 0x30...0x39: Int(self) - 0x30
    case 0x41...0x46: Int(self) - 0x41 + 10
    case 0x61...0x66: Int(self) - 0x61 + 10
    default: nil
    }
  }

  /// The lower-case form of an ASCII letter; every other byte as it is.
  var foldedCase: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
