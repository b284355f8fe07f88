/// Finds web addresses in running text.
enum AddressFinder {
  /// Returns the next address that begins at or after an index.
  static func next(from start: Int, in bytes: Span<UInt8>) -> Range<Int>? {
    var index = start
    while index < bytes.count {
      // The first letter rules out most positions quickly.
      if bytes[index] | 0x20 == UInt8(ascii: "h"), let end = end(ofAddressFrom: index, in: bytes) { return index..<end }
      index += 1
    }
    return nil
  }

  /// Returns the end of the address that begins at an index; `nil` if none begins there.
  static func end(ofAddressFrom start: Int, in bytes: Span<UInt8>) -> Int? {
    guard let scheme = WebLink.scheme(at: start, in: bytes),
      start == 0 || !UTF8Text.isLetterOrDigit(bytes[start - 1])
    else { return nil }
    let minimum = start + scheme.utf8.count
    var end = minimum
    while end < bytes.count {
      let (scalar, next) = UTF8Text.scalar(at: end, in: bytes)
      guard AddressEnd.continues(scalar) else { break }
      end = next
    }
    end = AddressEnd.withoutPunctuation(minimum..<end, in: bytes)
    return end == minimum ? nil : end
  }
}
