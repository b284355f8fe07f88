/// Reads the parts of a date from ASCII text, strictly, from left to right.
struct DateText {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes exactly so many digits.
  mutating func digits(_ count: Int) -> Int? {
    let taken = rest.prefix(count)
    guard taken.count == count, taken.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return taken.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// Takes as many digits as there are, at least one; the first nine count.
  mutating func allDigits() -> (value: Int, count: Int)? {
    let taken = rest.prefix { (48...57).contains($0) }
    guard !taken.isEmpty else { return nil }
    rest = rest.dropFirst(taken.count)
    return (taken.prefix(9).reduce(0) { $0 * 10 + Int($1 - 48) }, taken.count)
  }

  /// Takes one of these characters, in either letter case.
  mutating func character(_ choices: String) -> Character? {
    guard let byte = rest.first, byte < 128 else { return nil }
    let character = Character(UnicodeScalar(byte))
    guard choices.contains(character) else { return nil }
    rest = rest.dropFirst()
    return character
  }

  /// Takes exactly this text.
  mutating func literal(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Takes one of these three-letter names: its place among them.
  mutating func name(of names: [String]) -> Int? {
    guard let index = names.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
    rest = rest.dropFirst(3)
    return index
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

  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}

extension Int {
  /// With zeros in front up to this width.
  func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
