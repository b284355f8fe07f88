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
