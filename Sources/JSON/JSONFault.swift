/// What is wrong with a text at the place where the scanner stands: small, so that failing costs nothing while nothing fails.
enum JSONFault: Error {
  case truncated, tooDeep
  case value, name, colon, anotherItem, commaOrBrace, commaOrBracket
  case controlCharacter, escape, hexadecimal
  case digit, leadingZero
  case wordTrue, wordFalse, wordNull

  /// - Parameter limit: how many objects and arrays may lie in one another.
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
    case .leadingZero: .syntax("no zero in front of a number")
    case .wordTrue: .syntax("true")
    case .wordFalse: .syntax("false")
    case .wordNull: .syntax("null")
    }
  }
}
