extension JSONCursor {
  /// Consumes a number, and returns its text as written, so that a large id keeps all its digits.
  package mutating func numberText() throws(JSONError) -> String {
    guard try peek() == .number else { throw error(.type(expected: "a number")) }
    return try scan { scanner throws(JSONScanError) in
      let start = scanner.offset
      try scanner.skipNumber()
      return unsafe String(decoding: scanner.view(start..<scanner.offset), as: UTF8.self)
    }
  }

  /// Consumes a number.
  package mutating func number() throws(JSONError) -> JSONNumber {
    guard try peek() == .number else { throw error(.type(expected: "a number")) }
    return try scan { scanner throws(JSONScanError) in
      let start = scanner.offset
      try scanner.skipNumber()
      return JSONNumber(scanner.integer(from: start))
    }
  }

  /// Consumes a whole number, without a fraction or an exponent, in a range.
  package mutating func integer<Integer: FixedWidthInteger>(
    in range: ClosedRange<Integer>
  ) throws(JSONError) -> Integer {
    guard try peek() == .number else { throw error(.type(expected: "a whole number")) }
    let start = offset
    guard let value = try number().integer(in: range) else {
      throw error(.outOfRange("\(range.lowerBound) to \(range.upperBound)"), at: start)
    }
    return value
  }
}

extension JSONScanner {
  /// Returns the value of the number that was just consumed; `nil` if it has a fraction, an exponent or more than 64 bits.
  fileprivate func integer(from start: Int) -> Int64? {
    var digits = JSONScanner(self, at: start)
    let isNegative = digits.byte == UInt8(ascii: "-")
    if isNegative { digits.offset += 1 }
    var value: Int64 = 0
    while digits.offset < offset {
      let digit = digits.byte &- 0x30
      guard digit < 10 else { return nil }
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      // The digits of a negative number are subtracted, because the smallest number has no positive counterpart.
      let (sum, isStillTooLarge) =
        isNegative ? tens.subtractingReportingOverflow(Int64(digit)) : tens.addingReportingOverflow(Int64(digit))
      if isTooLarge || isStillTooLarge { return nil }
      value = sum
      digits.offset += 1
    }
    return value
  }
}
