internal import CPlainRun

/// Skips complete values. Values are checked as strictly as when they are read, but without a function call for each nested object or
/// array.
extension JSONScanner {
  /// Consumes any value.
  /// - Parameter levels: the maximum depth of nested objects and arrays; at most 64.
  @inline(__always) mutating func skip(levels: Int) throws(JSONScanError) {
    let end = unsafe json_skip(start, count, offset, levels)
    if end > 0 { offset = end } else { try skipValue(levels: levels) }
  }

  /// Consumes any value, and finds the fault if there is one.
  /// - Parameter levels: the maximum depth of nested objects and arrays; at most 64.
  mutating func skipValue(levels: Int) throws(JSONScanError) {
    // One bit for each object or array that contains the next value: 1 for an object, 0 for an array. The lowest bit belongs to the
    // innermost object or array.
    var objects: UInt64 = 0
    var open = 0
    while true {
      let first = try next()
      switch first {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open < levels else { throw .tooDeep }
        let isObject = first == UInt8(ascii: "{")
        if try !opens(isObject) { break }
        objects = objects &<< 1 | (isObject ? 1 : 0)
        open += 1
        continue
      case UInt8(ascii: "t"): try take("true", orElse: .wordTrue)
      case UInt8(ascii: "f"): try take("false", orElse: .wordFalse)
      case UInt8(ascii: "n"): try take("null", orElse: .wordNull)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
      default: throw .value
      }
      while open > 0, try !goesOn(objects & 1 == 1) {
        objects &>>= 1
        open -= 1
      }
      if open == 0 { return }
    }
  }

  /// Consumes an opening bracket, up to the position of the first value.
  /// - Returns: whether there is a value. If not, the closing bracket has been consumed too.
  @inline(__always) private mutating func opens(_ isObject: Bool) throws(JSONScanError) -> Bool {
    offset += 1
    if isObject { return try nextName(isFirst: true) != nil }
    return try nextElement(isFirst: true)
  }

  /// Consumes the bytes between a value and the next value.
  /// - Returns: whether there is a next value. If not, the closing bracket has been consumed.
  @inline(__always) private mutating func goesOn(_ isObject: Bool) throws(JSONScanError) -> Bool {
    if isObject { return try nextName(isFirst: false) != nil }
    return try nextElement(isFirst: false)
  }

  /// Consumes the comma before an element. At the closing bracket, consumes the bracket and returns `false`.
  @inline(__always) mutating func nextElement(isFirst: Bool) throws(JSONScanError) -> Bool {
    let closing = UInt8(ascii: "]")
    let first = try next()
    if first == closing {
      offset += 1
      return false
    }
    if isFirst { return true }
    guard first == UInt8(ascii: ",") else { throw .commaOrBracket }
    offset += 1
    if try next() == closing { throw .anotherItem }
    return true
  }

  /// The position of a member's name between its quotes.
  struct Name {
    let range: Range<Int>
    let hasEscapes: Bool
  }

  /// Consumes the comma before a member, the member's name and the colon. At the closing bracket, consumes the bracket and returns `nil`.
  @inline(__always) mutating func nextName(isFirst: Bool) throws(JSONScanError) -> Name? {
    let closing = UInt8(ascii: "}")
    var first = try next()
    if first == closing {
      offset += 1
      return nil
    }
    if !isFirst {
      guard first == UInt8(ascii: ",") else { throw .commaOrBrace }
      offset += 1
      first = try next()
      if first == closing { throw .anotherItem }
    }
    guard first == UInt8(ascii: "\"") else { throw .name }
    let start = offset + 1
    let hasEscapes = try skipString()
    let end = offset - 1
    guard try next() == UInt8(ascii: ":") else { throw .colon }
    offset += 1
    return Name(range: start..<end, hasEscapes: hasEscapes)
  }
}
