/// Reads the parts of a date from ASCII text, strictly, from left to right.
struct DateText {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  init(_ text: String) { self.init(Array(text.utf8)[...]) }

  var isAtEnd: Bool { index == bytes.endIndex }

  /// Reads exactly the given number of digits.
  @inline(__always) mutating func digits(_ count: Int) -> Int? {
    guard index + count <= bytes.endIndex else { return nil }
    var value = 0
    for place in index..<(index + count) {
      let digit = bytes[place] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    index += count
    return value
  }

  /// Reads all digits; there must be at least one. Only the first nine digits determine the value.
  mutating func allDigits() -> (value: Int, count: Int)? {
    let taken = bytes[index...].prefix { (48...57).contains($0) }
    guard !taken.isEmpty else { return nil }
    index += taken.count
    return (taken.prefix(9).reduce(0) { $0 * 10 + Int($1 - 48) }, taken.count)
  }

  /// Reads one of these ASCII characters.
  mutating func character(_ choices: StaticString) -> Unicode.Scalar? {
    guard index < bytes.endIndex else { return nil }
    let byte = bytes[index]
    guard choices.withUTF8Buffer({ unsafe $0.contains(byte) }) else { return nil }
    index += 1
    return Unicode.Scalar(byte)
  }

  /// Reads exactly this text.
  @inline(__always) mutating func literal(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.endIndex else { return false }
    for place in 0..<count where unsafe text.utf8Start[place] != bytes[index + place] { return false }
    index += count
    return true
  }

  /// Reads one of these three-letter names and returns its index.
  mutating func name(of names: Names) -> Int? {
    guard index + 3 <= bytes.endIndex else { return nil }
    let found = Names.key(bytes[index], bytes[index + 1], bytes[index + 2])
    guard let place = names.keys.firstIndex(of: found) else { return nil }
    index += 3
    return place
  }

  /// Reads `hh:mm:ss`.
  mutating func clock() -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = digits(2), literal(":"), let minute = digits(2), literal(":"), let second = digits(2) else {
      return nil
    }
    return (hour, minute, second)
  }

  /// Reads `+hhmm` or `+hh:mm`, and returns the offset from UTC in seconds.
  mutating func offset() -> Int64? {
    guard let sign = character("+-"), let hours = digits(2) else { return nil }
    _ = literal(":")
    guard let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
    return Int64(hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }

  static let months: Names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  static let weekdays: Names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}

extension DateText {
  /// Names of three ASCII letters. Each name is also stored as a number, so that comparing numbers finds it.
  struct Names: ExpressibleByArrayLiteral, Sendable {
    private let texts: [String]
    let keys: [UInt32]

    init(arrayLiteral texts: String...) {
      self.texts = texts
      keys = texts.map { text in
        let letters = Array(text.utf8)
        return Self.key(letters[0], letters[1], letters[2])
      }
    }

    subscript(index: Int) -> String { texts[index] }

    static func key(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
      UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
    }
  }
}

extension Int {
  /// Returns the decimal digits, with leading zeros up to the given width.
  func padded(_ width: Int) -> String {
    let digits = String(self)
    guard digits.utf8.count < width else { return digits }
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}

extension Timestamp {
  /// The time as written in this program's files: UTC, in whole seconds, such as `2026-11-20T16:00:00Z` (RFC 3339 §5.6).
  package var rfc3339: String {
    let date = CivilDate(self)
    return unsafe String(unsafeUninitializedCapacity: 20) { buffer in
      var count = 0
      func write(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
      }
      func write(_ mark: Unicode.Scalar, _ part: Int) {
        write(UInt8(ascii: mark))
        write(UInt8(ascii: "0") + UInt8(part / 10))
        write(UInt8(ascii: "0") + UInt8(part % 10))
      }
      write(UInt8(ascii: "0") + UInt8(date.year / 1000))
      write(UInt8(ascii: "0") + UInt8(date.year / 100 % 10))
      write(UInt8(ascii: "0") + UInt8(date.year / 10 % 10))
      write(UInt8(ascii: "0") + UInt8(date.year % 10))
      write("-", date.month)
      write("-", date.day)
      write("T", date.hour)
      write(":", date.minute)
      write(":", date.second)
      write(UInt8(ascii: "Z"))
      return count
    }
  }

  /// Reads a date-time with `Z` or an offset and any number of decimals (RFC 3339 §5.6). The time is truncated to milliseconds.
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
    self.init(exactlyMilliseconds: (date.timestamp.seconds - offset) * 1000 + milliseconds)
  }
}

extension Timestamp {
  /// The time as written in the `Date` header, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
  package var imfFixdate: String {
    let date = CivilDate(self)
    return "\(DateText.weekdays[date.weekday]), \(date.day.padded(2)) \(DateText.months[date.month - 1])"
      + " \(date.year.padded(4)) \(date.hour.padded(2)):\(date.minute.padded(2)):\(date.second.padded(2)) GMT"
  }

  /// Reads an IMF-fixdate (RFC 9110 §5.6.7). The obsolete formats are refused, because no current server sends them.
  package init?(imfFixdate text: String) {
    var text = DateText(text)
    guard text.name(of: DateText.weekdays) != nil, text.literal(", "), let day = text.digits(2), text.literal(" "),
      let month = text.name(of: DateText.months), text.literal(" "), let year = text.digits(4), text.literal(" "),
      let clock = text.clock(), text.literal(" GMT"), text.isAtEnd,
      let date = CivilDate(
        year: year, month: month + 1, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)
    else { return nil }
    self = date.timestamp
  }
}

extension Timestamp {
  /// The time as written in `created_at` by Twitter's v1.1 API, such as `Wed Aug 27 13:08:45 +0000 2025`.
  package var twitterDate: String {
    let date = CivilDate(self)
    return "\(DateText.weekdays[date.weekday]) \(DateText.months[date.month - 1]) \(date.day.padded(2))"
      + " \(date.hour.padded(2)):\(date.minute.padded(2)):\(date.second.padded(2)) +0000 \(date.year.padded(4))"
  }

  /// Reads a `created_at` from Twitter's v1.1 API. The names of days and months are English in every locale.
  package init?(twitterDate text: String) { self.init(twitterDate: Array(text.utf8)[...]) }

  /// Reads the bytes of such a text.
  package init?(twitterDate bytes: ArraySlice<UInt8>) {
    var text = DateText(bytes)
    guard text.name(of: DateText.weekdays) != nil, text.literal(" "), let month = text.name(of: DateText.months),
      text.literal(" "), let day = text.digits(2), text.literal(" "), let clock = text.clock(), text.literal(" "),
      let offset = text.offset(), text.literal(" "), let year = text.digits(4), text.isAtEnd,
      let date = CivilDate(
        year: year, month: month + 1, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)
    else { return nil }
    self.init(exactlySeconds: date.timestamp.seconds - offset)
  }
}
