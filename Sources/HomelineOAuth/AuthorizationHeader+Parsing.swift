extension AuthorizationHeader {
  /// The longest header read, in bytes: a header line that servers take is rarely longer than 8 KiB.
  public static let byteLimit = 16_384

  /// Reads what a client sent (RFC 5849 §3.5.1): the scheme in any letter case, then `name="value"` pairs between commas
  /// with optional white space, which may be folded lines (RFC 9112 §5.2).
  ///
  /// - Throws: ``AuthorizationHeaderError`` for another scheme, a broken list or escape, or a name that comes twice.
  public init(parsing text: String) throws(AuthorizationHeaderError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.byteLimit else { throw .tooLong(bytes: bytes.count, limit: Self.byteLimit) }
    var cursor = Cursor(bytes: bytes)
    guard cursor.takeScheme() else { throw .notOAuth }

    var realm: String?
    var parameters: [OAuth.Parameter] = []
    var seen: Set<[UInt8]> = []
    while let pair = try cursor.takePair() {
      guard seen.insert(pair.name).inserted else {
        throw .doubledParameter(String(decoding: pair.name, as: UTF8.self))
      }
      if pair.name.elementsEqual("realm".utf8) {
        realm = String(decoding: pair.raw, as: UTF8.self)
      } else {
        let value = try cursor.decode(pair.raw[...], from: pair.valueOffset)
        parameters.append(OAuth.Parameter(name: pair.name, value: value))
      }
    }
    self.init(realm: realm, parameters: parameters)
  }
}

/// A place in a header's bytes.
private struct Cursor {
  struct Pair {
    let name: [UInt8]
    /// Between the quotes, backslashes resolved, not yet percent-decoded.
    let raw: [UInt8]
    let valueOffset: Int
  }

  let bytes: [UInt8]
  var offset = 0
  var isFirstPair = true

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// `OAuth` and at least one blank.
  mutating func takeScheme() -> Bool {
    skipBlanks()
    let word = bytes[offset...].prefix { ASCII.isLetter($0) }
    guard word.map({ ASCII.lowercased($0) }).elementsEqual("oauth".utf8) else { return false }
    offset = word.endIndex
    let start = offset
    skipBlanks()
    return offset > start || next == nil
  }

  /// The next `name="value"`, nil at the end.
  mutating func takePair() throws(AuthorizationHeaderError) -> Pair? {
    skipBlanks()
    if !isFirstPair {
      if next == nil { return nil }
      try take(UInt8(ascii: ","))
      skipBlanks()
    }
    if next == nil {
      // Nothing behind the scheme is an empty list; nothing behind a comma is a list cut off.
      if isFirstPair { return nil }
      throw .malformed(offset: offset)
    }
    isFirstPair = false
    let nameStart = offset
    while let byte = next, Self.isInName(byte) { offset += 1 }
    guard offset > nameStart else { throw .malformed(offset: offset) }
    let name = try decode(bytes[nameStart..<offset], from: nameStart)
    skipBlanks()
    try take(UInt8(ascii: "="))
    skipBlanks()
    let valueOffset = offset + 1
    return Pair(name: name, raw: try takeQuoted(), valueOffset: valueOffset)
  }

  /// A quoted string (RFC 9110 §5.6.4), without its quotes.
  private mutating func takeQuoted() throws(AuthorizationHeaderError) -> [UInt8] {
    try take(UInt8(ascii: "\""))
    var value: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return value
      case UInt8(ascii: "\\"):
        guard let escaped = next, escaped >= 0x20 else { throw .malformed(offset: offset) }
        value.append(escaped)
        offset += 1
      case 0..<0x20, 0x7F: throw .malformed(offset: offset - 1)
      default: value.append(byte)
      }
    }
    throw .malformed(offset: offset)
  }

  func decode(_ encoded: ArraySlice<UInt8>, from start: Int) throws(AuthorizationHeaderError) -> [UInt8] {
    do throws(PercentEncodingError) {
      return try OAuth.PercentEncoding.decode(encoded)
    } catch {
      throw .badEscape(offset: start + error.offset)
    }
  }

  private mutating func take(_ byte: UInt8) throws(AuthorizationHeaderError) {
    guard next == byte else { throw .malformed(offset: offset) }
    offset += 1
  }

  /// Blanks, tabs, and line breaks that are followed by one of them.
  private mutating func skipBlanks() {
    while let byte = next {
      if byte == 0x20 || byte == 0x09 {
        offset += 1
      } else if let end = foldEnd(at: offset) {
        offset = end
      } else {
        return
      }
    }
  }

  /// Where a folded line goes on: behind CR LF or LF and one blank.
  private func foldEnd(at start: Int) -> Int? {
    var end = start
    if end < bytes.count, bytes[end] == 0x0D { end += 1 }
    guard end < bytes.count, bytes[end] == 0x0A else { return nil }
    end += 1
    guard end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 else { return nil }
    return end + 1
  }

  /// Encoded names have nothing but unreserved characters and escapes.
  private static func isInName(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~%".utf8.contains(byte)
  }
}

/// Why an Authorization header is not one that OAuth 1.0 can use.
public enum AuthorizationHeaderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Longer than what is taken.
  case tooLong(bytes: Int, limit: Int)
  /// Another scheme than `OAuth`.
  case notOAuth
  /// Not a list of `name="value"` at this byte.
  case malformed(offset: Int)
  /// A name or value has a broken escape, at or behind this byte.
  case badEscape(offset: Int)
  /// A name that comes twice (RFC 5849 §3.1).
  case doubledParameter(String)

  /// What is wrong, as a sentence without any value.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit): "The Authorization header is \(bytes) bytes long; \(limit) are allowed."
    case .notOAuth: "The Authorization header does not begin with OAuth."
    case .malformed(let offset): "The Authorization header is not a list of name=\"value\" at byte \(offset)."
    case .badEscape(let offset): "The Authorization header has a % without two hexadecimal digits at byte \(offset)."
    case .doubledParameter(let name): "The Authorization header has \(name) twice."
    }
  }
}
