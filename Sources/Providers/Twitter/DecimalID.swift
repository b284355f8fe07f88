internal import Timeline

/// Arithmetic on ids that are decimal numbers of any length, as text: no number type holds them all, and none may round.
enum DecimalID {
  static func isDecimal(_ id: String) -> Bool { PostKey(decimal: PostID(id)) != nil }

  /// The number below; `nil` for 0 and for what is no decimal number.
  static func predecessor(of id: String) -> String? {
    guard isDecimal(id) else { return nil }
    var digits = Array(id.utf8.drop { $0 == UInt8(ascii: "0") })
    guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return nil }
    digits[last] -= 1
    for index in digits.indices[(last + 1)...] { digits[index] = UInt8(ascii: "9") }
    if digits.first == UInt8(ascii: "0"), digits.count > 1 { digits.removeFirst() }
    return String(decoding: digits, as: UTF8.self)
  }
}
