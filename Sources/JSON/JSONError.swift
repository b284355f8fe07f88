/// The reason the input is not the expected JSON, and the position of the error.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// The kind of error.
  package enum Kind: Hashable, Sendable {
    /// The text is not JSON (RFC 8259). The value names the expected syntax.
    case syntax(String)
    /// The value is valid JSON, but not of the requested type.
    case type(expected: String)
    /// The number is not a whole number in the expected range. The value names the range, such as `0 to 65535`.
    case outOfRange(String)
    /// The value is nested more deeply than the limit allows.
    case tooDeep(limit: Int)
    /// The text ends in the middle of a value.
    case truncated
  }

  package let kind: Kind
  package let position: JSONPosition

  package var description: String { "\(position): \(reason)" }

  /// The reason without the position.
  package var reason: String {
    switch kind {
    case .syntax(let expected): "not valid JSON: expected \(expected)"
    case .type(let expected): "expected \(expected)"
    case .outOfRange(let range): "expected a whole number from \(range)"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .truncated: "the text ends in the middle of a value"
    }
  }
}

/// An error at the scanner's position. The error type is small, so that successful calls take no extra time.
enum JSONScanError: Error {
  case truncated, tooDeep
  case value, name, colon, anotherItem, commaOrBrace, commaOrBracket
  case controlCharacter, escape, hexadecimal
  case digit, leadingZero
  case wordTrue, wordFalse, wordNull

  /// Returns the kind of error that the fault represents.
  /// - Parameter limit: the maximum depth of nested objects and arrays.
  func kind(limit: Int) -> JSONError.Kind {
    switch self {
    case .truncated: .truncated
    case .tooDeep: .tooDeep(limit: limit)
    case .value: .syntax("a value")
    case .name: .syntax("a name in quotes")
    case .colon: .syntax("':'")
    case .anotherItem: .syntax("another item after ','")
    case .commaOrBrace: .syntax("',' or '}'")
    case .commaOrBracket: .syntax("',' or ']'")
    case .controlCharacter: .syntax("no control character in a string")
    case .escape: .syntax("an escape such as \\n or \\u0041")
    case .hexadecimal: .syntax("four hexadecimal digits")
    case .digit: .syntax("a digit")
    case .leadingZero: .syntax("no leading zero in a number")
    case .wordTrue: .syntax("true")
    case .wordFalse: .syntax("false")
    case .wordNull: .syntax("null")
    }
  }
}

/// A position in the text, as editors count it. Lines and columns start at 1, and columns are counted in characters (UTF-8 sequences), not
/// bytes.
package struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Computes the position of a byte offset.
  init(of offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xc0 != 0x80 {  // Not a continuation byte.
        column += 1
      }
    }
    self.init(line: line, column: column)
  }

  package var description: String { "line \(line), column \(column)" }
}
