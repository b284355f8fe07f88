extension Timestamp {
  /// The form that our files use: UTC, whole seconds, as in `2026-11-20T16:00:00Z` (RFC 3339 §5.6).
  package var rfc3339: String {
    let date = CivilDate(self)
    // Five digits from the year 10000 on.
    let year = date.year.padded(4)
    return unsafe String(unsafeUninitializedCapacity: year.utf8.count + 16) { room in
      var count = 0
      func write(_ byte: UInt8) {
        unsafe room[count] = byte
        count += 1
      }
      func write(_ mark: Unicode.Scalar, _ part: Int) {
        write(UInt8(ascii: mark))
        write(UInt8(ascii: "0") + UInt8(part / 10))
        write(UInt8(ascii: "0") + UInt8(part % 10))
      }
      for byte in year.utf8 { write(byte) }
      write("-", date.month)
      write("-", date.day)
      write("T", date.hour)
      write(":", date.minute)
      write(":", date.second)
      write(UInt8(ascii: "Z"))
      return count
    }
  }

  /// Reads a date-time with `Z` or an offset and any number of decimals (RFC 3339 §5.6); what is below a millisecond is dropped.
  package init?(rfc3339 text: String) {
    var text = DateText(text)
    guard let year = text.digits(4), text.literal("-"), let month = text.digits(2), text.literal("-"),
      let day = text.digits(2), text.character("Tt ") != nil, let clock = text.clock(),
      let date = CivilDate(
        year: year, month: month, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)
    else { return nil }
    var milliseconds: Int64 = 0
    if text.literal(".") {
      guard let decimals = text.allDigits() else { return nil }
      var value = decimals.value
      for _ in 0..<max(0, min(decimals.count, 9) - 3) { value /= 10 }
      for _ in 0..<max(0, 3 - decimals.count) { value *= 10 }
      milliseconds = Int64(value)
    }
    guard let offset = text.character("Zz") != nil ? 0 : text.offset(), text.isAtEnd else { return nil }
    self.init(milliseconds: (date.timestamp.seconds - offset) * 1000 + milliseconds)
  }
}
