extension JSONCursor {
  /// Takes a number and answers its text as written: the only way to keep the digits of a large id.
  package mutating func numberText() throws(JSONError) -> String {
    guard try peek() == .number else { throw error(.type(expected: "a number")) }
    return try scan { scanner throws(JSONFault) in
      let start = scanner.offset
      try scanner.skipNumber()
      return unsafe String(decoding: scanner.view(start..<scanner.offset), as: UTF8.self)
    }
  }

  /// Takes a whole number without fraction or exponent.
  package mutating func integer() throws(JSONError) -> Int64 {
    guard try peek() == .number else { throw error(.type(expected: "a whole number")) }
    let start = offset
    let value: Int64? = try scan { scanner throws(JSONFault) in
      try scanner.skipNumber()
      return scanner.integer(from: start)
    }
    guard let value else { throw error(.notInteger, at: start) }
    return value
  }

  /// Takes any number; `nil` for one that is no whole number, or of more than 64 bits.
  package mutating func integerOrNothing() throws(JSONError) -> Int64? {
    guard try peek() == .number else { throw error(.type(expected: "a number")) }
    return try scan { scanner throws(JSONFault) in
      let start = scanner.offset
      try scanner.skipNumber()
      return scanner.integer(from: start)
    }
  }
}

extension JSONScanner {
  /// The value of the number that was just taken; `nil` for one with fraction or exponent, or of more than 64 bits.
  fileprivate func integer(from start: Int) -> Int64? {
    var digits = JSONScanner(self, at: start)
    let isNegative = digits.byte == UInt8(ascii: "-")
    if isNegative { digits.offset += 1 }
    var value: Int64 = 0
    while digits.offset < offset {
      let digit = digits.byte &- 0x30
      guard digit < 10 else { return nil }
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      // Negative from the first digit on, as the least number has no positive counterpart.
      let (sum, isStillTooLarge) =
        isNegative ? tens.subtractingReportingOverflow(Int64(digit)) : tens.addingReportingOverflow(Int64(digit))
      if isTooLarge || isStillTooLarge { return nil }
      value = sum
      digits.offset += 1
    }
    return value
  }
}
