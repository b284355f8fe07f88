/// Reads the parts of a date from ASCII text, strictly, from left to right.
struct DateText {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { index == bytes.count }

  /// Takes exactly so many digits.
  mutating func digits(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<(index + count)] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    index += count
    return value
  }

  /// Takes as many digits as there are, at least one; the first nine count.
  mutating func allDigits() -> (value: Int, count: Int)? {
    let taken = bytes[index...].prefix { (48...57).contains($0) }
    guard !taken.isEmpty else { return nil }
    index += taken.count
    return (taken.prefix(9).reduce(0) { $0 * 10 + Int($1 - 48) }, taken.count)
  }

  /// Takes one of these ASCII characters.
  mutating func character(_ choices: StaticString) -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    guard choices.withUTF8Buffer({ unsafe $0.contains(byte) }) else { return nil }
    index += 1
    return Unicode.Scalar(byte)
  }

  /// Takes exactly this text.
  mutating func literal(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    let found = bytes[index..<(index + count)]
    guard text.withUTF8Buffer({ text in unsafe found.elementsEqual(text) }) else { return false }
    index += count
    return true
  }

  /// Takes one of these three-letter names: its place among them.
  mutating func name(of names: Names) -> Int? {
    guard index + 3 <= bytes.count else { return nil }
    let found = Names.key(bytes[index], bytes[index + 1], bytes[index + 2])
    guard let place = names.keys.firstIndex(of: found) else { return nil }
    index += 3
    return place
  }

  /// Takes `hh:mm:ss`.
  mutating func clock() -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = digits(2), literal(":"), let minute = digits(2), literal(":"), let second = digits(2) else {
      return nil
    }
    return (hour, minute, second)
  }

  /// Takes `+hhmm` or `+hh:mm`: the offset from UTC in seconds.
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
  /// Names of three ASCII letters, each also as one number, so that finding one is a comparison of numbers.
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
  /// With zeros in front up to this width.
  func padded(_ width: Int) -> String {
    let digits = String(self)
    guard digits.utf8.count < width else { return digits }
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}
