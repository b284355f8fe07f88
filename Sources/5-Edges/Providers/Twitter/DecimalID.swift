internal import Timeline

/// Arithmetic on decimal ids of any length, as text, because no integer type is large enough for all of them.
enum DecimalID {
  /// Returns whether an id is a decimal number of at most 99 digits.
  static func isDecimal(_ id: String) -> Bool {
    PostID(id).isDecimal && (id.utf8.count <= 99 || id.utf8.count - zeros(of: id) <= 99)
  }

  /// Returns whether a number is smaller than another one.
  static func isSmaller(_ first: String, _ second: String) -> Bool {
    let (start, otherStart) = (zeros(of: first), zeros(of: second))
    let (digits, otherDigits) = (first.utf8.span, second.utf8.span)
    let count = digits.count - start
    guard count == otherDigits.count - otherStart else { return count < otherDigits.count - otherStart }
    for place in 0..<count where digits[start + place] != otherDigits[otherStart + place] {
      return digits[start + place] < otherDigits[otherStart + place]
    }
    return false
  }

  /// Returns the number of zeros at the beginning.
  private static func zeros(of id: String) -> Int {
    let digits = id.utf8.span
    var count = 0
    while count < digits.count, digits[count] == UInt8(ascii: "0") { count += 1 }
    return count
  }

  /// Returns the preceding number; `nil` for 0, and for a string that is not a decimal number.
  static func predecessor(of id: String) -> String? {
    guard isDecimal(id) else { return nil }
    var digits = Array(id.utf8.dropFirst(zeros(of: id)))
    guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return nil }
    digits[last] -= 1
    for index in digits.indices[(last + 1)...] { digits[index] = UInt8(ascii: "9") }
    if digits.first == UInt8(ascii: "0"), digits.count > 1 { digits.removeFirst() }
    return String(decoding: digits, as: UTF8.self)
  }
}
