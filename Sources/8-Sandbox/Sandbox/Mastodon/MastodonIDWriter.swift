internal import Time

/// Converts between post numbers and the ids that a kind of server uses.
struct MastodonIDWriter: Sendable {
  /// Crockford's base 32, as in ULIDs.
  private static let base32 = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  let flavour: MastodonFlavour

  /// Returns the id for a post number.
  /// - Parameter number: milliseconds and 22 bits, as in `PostCalendar`.
  func text(_ number: UInt64) -> String {
    var dice = SeededRandom(11, number)
    switch flavour {
    case .mastodon, .oldMastodon: return String(number)
    case .goToSocial:
      // 48 bits of time and 80 random bits, except that the upper 22 of these come from the number.
      return Self.digits(
        UInt128(milliseconds(number)) << 80 | low(number) << 58 | UInt128(dice.next() >> 6), Self.base32, count: 26)
    case .akkoma:
      return Self.digits(
        UInt128(milliseconds(number)) << 64 | low(number) << 42 | UInt128(dice.next() >> 22), Self.base62, count: 18)
    case .snac: return (0..<2).map { _ in Self.hexadecimal(dice.next()) }.joined()
    }
  }

  /// Returns the post number in an id; `nil` if the text is not an id from this server. snac's ids contain no
  /// number.
  func number(_ text: String) -> UInt64? {
    switch flavour {
    case .mastodon, .oldMastodon: return UInt64(text)
    case .goToSocial:
      return Self.value(text, Self.base32).flatMap { number(at: $0 >> 80, low: $0 >> 58) }
    case .akkoma: return Self.value(text, Self.base62).flatMap { number(at: $0 >> 64, low: $0 >> 42) }
    case .snac: return nil
    }
  }

  private func milliseconds(_ number: UInt64) -> UInt64 { UInt64(PostCalendar.moment(ofID: number).milliseconds) }

  private func low(_ number: UInt64) -> UInt128 { UInt128(number & 0x3f_ffff) }

  private func number(at milliseconds: UInt128, low: UInt128) -> UInt64? {
    guard let time = Int64(exactly: milliseconds), time >= PostCalendar.epoch.milliseconds, time < 4_102_444_800_000
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
