internal import Bytes
internal import OAuthValues

extension AuthorizationHeader {
  /// The maximum length of a header in bytes. Servers rarely accept header lines longer than 8 KiB.
  public static let byteLimit = 16_384

  /// Parses the header of a received request (RFC 5849 §3.5.1): the case-insensitive scheme, followed by `name="value"` pairs
  /// separated by commas, with optional whitespace and folded lines (RFC 9112 §5.2).
  ///
  /// - Throws: ``AuthorizationHeaderError`` if the header is too long, uses a different scheme, repeats a name, or contains a malformed
  ///   list or escape.
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
        throw .duplicateParameter(String(decoding: pair.name, as: UTF8.self))
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

/// A parser for the header's bytes.
private struct Cursor {
  struct Pair {
    let name: [UInt8]
    /// The text between the quotes, with backslash escapes resolved but not percent-decoded.
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

  /// Parses `OAuth`, followed by at least one space or the end of the header.
  mutating func takeScheme() -> Bool {
    skipBlanks()
    let scheme = bytes[offset...].prefix { ASCII.isLetter($0) }
    guard scheme.map({ ASCII.lowercased($0) }).elementsEqual("oauth".utf8) else { return false }
    offset = scheme.endIndex
    let start = offset
    skipBlanks()
    return offset > start || next == nil
  }

  /// Parses the next `name="value"`. Returns nil at the end of the header.
  mutating func takePair() throws(AuthorizationHeaderError) -> Pair? {
    skipBlanks()
    if !isFirstPair {
      if next == nil { return nil }
      try take(UInt8(ascii: ","))
      skipBlanks()
    }
    if next == nil {
      // An empty list after the scheme is valid; a list that ends with a comma is not.
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

  /// Parses a quoted string (RFC 9110 §5.6.4) and returns it without its quotes.
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

  /// Skips spaces, tabs, and line breaks followed by a space or a tab.
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

  /// Returns the end of the line fold at an offset (CR LF or LF, followed by a space or a tab); nil if there is none.
  private func foldEnd(at start: Int) -> Int? {
    var end = start
    if end < bytes.count, bytes[end] == 0x0D { end += 1 }
    guard end < bytes.count, bytes[end] == 0x0A else { return nil }
    end += 1
    guard end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 else { return nil }
    return end + 1
  }

  /// Returns whether a byte may appear in an encoded name, as an unreserved character or as part of an escape.
  private static func isInName(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~%".utf8.contains(byte)
  }
}

/// An error found while parsing an OAuth 1.0 Authorization header.
public enum AuthorizationHeaderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The header is longer than the limit.
  case tooLong(bytes: Int, limit: Int)
  /// The scheme is not `OAuth`.
  case notOAuth
  /// The header is not a list of `name="value"` pairs; `offset` is the byte where parsing failed.
  case malformed(offset: Int)
  /// A name or value contains a malformed escape at this byte or after it.
  case badEscape(offset: Int)
  /// A name appears more than once (RFC 5849 §3.1).
  case duplicateParameter(String)

  /// Describes the error in a sentence, without quoting values from the header.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit): "The Authorization header is \(bytes) bytes long; the limit is \(limit)."
    case .notOAuth: "The Authorization header does not use the OAuth scheme."
    case .malformed(let offset):
      "The Authorization header is malformed at byte \(offset); expected name=\"value\" pairs."
    case .badEscape(let offset):
      "The Authorization header contains a % without two hexadecimal digits at byte \(offset)."
    case .duplicateParameter(let name): "The Authorization header contains \(name) more than once."
    }
  }
}
