internal import CivilTime

/// A point in time as it is given on the command line.
enum Moment {
  /// What is taken, for messages.
  static let forms = "a day (2026-11-20), a time (2026-11-20T15:00:00Z) or an age (12h, 7d, 3w)"

  /// A day, which is its midnight in UTC; a date-time of RFC 3339; or an age of 1 to 99999 hours, days or weeks, counted
  /// back from `now`. Nil for anything else.
  static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") ?? age(text).map { now - $0 }
  }

  private static func age(_ text: String) -> Duration? {
    let hours: [Character: Int64] = ["h": 1, "d": 24, "w": 168]
    guard let unit = text.last.flatMap({ hours[$0] }) else { return nil }
    let digits = text.dropLast()
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int64(digits), count > 0
    else { return nil }
    return .seconds(count * unit * 3600)
  }
}
