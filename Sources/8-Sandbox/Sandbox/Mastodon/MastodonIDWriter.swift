internal import Time

/// Converts between numbers and the ids that a kind of server uses.
struct MastodonIDWriter: Sendable {
  /// The form of ids.
  enum Form: Sendable {
    case decimal
    case ulid
    /// 128-bit flake ids in base 62.
    case flake
    /// 32 hexadecimal digits, which are not ordered.
    case hexadecimal
  }

  /// Crockford's base 32, as in ULIDs.
  private static let base32 = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  let form: Form

  /// Whether ids can be compared.
  var areOrdered: Bool { form != .hexadecimal }

  /// Returns the id for a number.
  /// - Parameter number: for ULIDs and flake ids, milliseconds and 22 bits, as in `PostCalendar`.
  func text(_ number: UInt64) -> String {
    if form == .decimal { return String(number) }
    var dice = SeededRandom(11, number)
    switch form {
    case .ulid:
      // 48 bits of time and 80 random bits, except that the upper 22 of these come from the number.
      return Self.digits(
        UInt128(milliseconds(number)) << 80 | low(number) << 58 | UInt128(dice.next() >> 6), Self.base32, count: 26)
    case .flake:
      return Self.digits(
        UInt128(milliseconds(number)) << 64 | low(number) << 42 | UInt128(dice.next() >> 22), Self.base62, count: 18)
    case .decimal, .hexadecimal: return (0..<2).map { _ in Self.hexadecimal(dice.next()) }.joined()
    }
  }

  /// Returns the number in an id; `nil` if the text is not an id from this server, or if its ids contain no number.
  func number(_ text: String) -> UInt64? {
    switch form {
    case .decimal: return UInt64(text)
    case .ulid:
      return Self.value(text, Self.base32).flatMap { number(at: $0 >> 80, low: $0 >> 58) }
    case .flake: return Self.value(text, Self.base62).flatMap { number(at: $0 >> 64, low: $0 >> 42) }
    case .hexadecimal: return nil
    }
  }

  private func milliseconds(_ number: UInt64) -> UInt64 { UInt64(PostCalendar.moment(ofID: number).milliseconds) }

  private func low(_ number: UInt64) -> UInt128 { UInt128(number & 0x3f_ffff) }

  private func number(at milliseconds: UInt128, low: UInt128) -> UInt64? {
    guard let time = Int64(exactly: milliseconds), (PostCalendar.idEpoch..<4_102_444_800_000).contains(time)
    else { return nil }
    return PostCalendar.id(at: Timestamp(milliseconds: time), Int(low & 0x3f_ffff))
  }

  private static func digits(_ value: UInt128, _ alphabet: [UInt8], count: Int) -> String {
    let base = UInt128(alphabet.count)
    var rest = value
    var digits: [UInt8] = []
    for _ in 0..<count {
      digits.append(alphabet[Int(rest % base)])
      rest /= base
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
  }

  private static func value(_ text: String, _ alphabet: [UInt8]) -> UInt128? {
    var value: UInt128 = 0
    for byte in text.utf8 {
      guard let digit = alphabet.firstIndex(of: byte) else { return nil }
      let (product, overflows) = value.multipliedReportingOverflow(by: UInt128(alphabet.count))
      if overflows { return nil }
      value = product + UInt128(digit)
    }
    return text.isEmpty ? nil : value
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
