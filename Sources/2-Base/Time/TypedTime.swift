/// Reads a time as a user types it, in English and case-insensitively:
///
/// - `now`
/// - a span: `30m`, `12h`, `7d`, `3w`, `1h30m`, `30 min`, `in 2 hours`, `2 days ago`
/// - a time of day: `18:00`, `9:05:30`, `6pm`, `6:30 pm`
/// - a day: `2026-12-24`, `today`, `tomorrow`, `yesterday`, `monday`, `mon`, which begins at midnight
/// - a day and a time of day: `tomorrow 9:00`, `2026-12-24 18:00`, `2026-12-24T18:00`, `friday at 18:00`
/// - a time with its zone: `2026-11-20T15:00:00Z` (RFC 3339)
///
/// Times without a zone are local. A time of day or a weekday alone means the nearest one in the reader's direction.
package struct TypedTime: Sendable {
  /// Whether `18:00`, `monday` and a span are the nearest ones before or after now.
  package enum Direction: Sendable { case past, future }

  private let now: Timestamp
  private let zone: LocalZone
  private let direction: Direction

  package init(at now: Timestamp, in zone: LocalZone, toward direction: Direction) {
    self.now = now
    self.zone = zone
    self.direction = direction
  }

  /// Returns the time; nil if the text is not a time.
  package func read(_ text: String) -> Timestamp? {
    if let moment = Timestamp(rfc3339: text) { return moment }
    var parts = text.lowercased().split(separator: " ")
    guard let first = parts.first else { return nil }
    // A day and a time of day can be joined by T (ISO 8601).
    let bytes = first.utf8
    if bytes.count > 10, bytes[bytes.index(bytes.startIndex, offsetBy: 10)] == UInt8(ascii: "t") {
      parts.replaceSubrange(0..<1, with: [first.prefix(10), first.dropFirst(11)])
    }
    if parts == ["now"] { return now }
    if let span = span(parts) { return direction == .past ? now - span : now + span }
    if let clock = Clock(parts[...]) { return nearest(clock) }
    if parts.count > 2, parts[1] == "at" { parts.remove(at: 1) }
    let rest = parts.dropFirst()
    let clock = rest.isEmpty ? nil : Clock(rest)
    if clock == nil, !rest.isEmpty { return nil }
    return moment(parts[0], clock ?? Clock(hour: 0, minute: 0, second: 0))
  }

  // MARK: Spans

  private static let units: [Substring: Int64] = {
    let names: [(Int64, [Substring])] = [
      (60, ["m", "min", "mins", "minute", "minutes"]), (3600, ["h", "hr", "hrs", "hour", "hours"]),
      (86_400, ["d", "day", "days"]), (604_800, ["w", "week", "weeks"]),
    ]
    return Dictionary(uniqueKeysWithValues: names.flatMap { seconds, names in names.map { ($0, seconds) } })
  }()

  /// Returns a span of 1 to 99999 minutes, hours, days or weeks, or of several such parts. A day has 24 hours, even when clocks are changed.
  private func span(_ parts: [Substring]) -> Duration? {
    var parts = parts[...]
    switch direction {
    case .future: if parts.first == "in" { parts.removeFirst() }
    case .past: if parts.last == "ago" { parts.removeLast() }
    }
    var rest = parts.joined()[...]
    var seconds: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard digits.utf8.count <= 5, let count = Int64(digits), count > 0, let length = Self.units[unit] else {
        return nil
      }
      seconds += count * length
    }
    return seconds > 0 ? .seconds(seconds) : nil
  }

  // MARK: Days and times of day

  private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

  /// Returns the time of day on a day.
  private func moment(_ day: Substring, _ clock: Clock) -> Timestamp? {
    switch day {
    case "today": return self.moment(daysFromToday: 0, clock)
    case "tomorrow": return self.moment(daysFromToday: 1, clock)
    case "yesterday": return self.moment(daysFromToday: -1, clock)
    default: break
    }
    if let weekday = Self.weekdays.firstIndex(where: { day == $0 || day == $0.prefix(3) }) {
      let distance = (weekday - zone.date(at: now).weekday + 7) % 7
      return nearest(among: [distance - 7, distance, distance + 7], clock)
    }
    var text = DateText(String(day))
    guard let year = text.digits(4), text.literal("-"), let month = text.digits(2), text.literal("-"),
      let number = text.digits(2), text.isAtEnd,
      let date = CivilDate(
        year: year, month: month, day: number, hour: clock.hour, minute: clock.minute, second: clock.second)
    else { return nil }
    return zone.moment(of: date)
  }

  private func nearest(_ clock: Clock) -> Timestamp? { nearest(among: [-1, 0, 1], clock) }

  /// Returns the last of these times that is not in the future, or the first future one, depending on the direction.
  /// - Parameter days: days from today, in order.
  private func nearest(among days: [Int], _ clock: Clock) -> Timestamp? {
    let moments = days.compactMap { moment(daysFromToday: $0, clock) }
    return direction == .past ? moments.last { $0 <= now } : moments.first { $0 > now }
  }

  private func moment(daysFromToday days: Int, _ clock: Clock) -> Timestamp? {
    let today = CivilDay(zone.date(at: now).timestamp)
    let date = CivilDate(CivilDay(today.number + Int64(days)).start)
    return CivilDate(
      year: date.year, month: date.month, day: date.day, hour: clock.hour, minute: clock.minute, second: clock.second
    ).map { zone.moment(of: $0) }
  }
}

extension TypedTime {
  /// A time of day: `18:00`, `9:05:30`, `6pm`, `6:30 pm`.
  private struct Clock {
    let hour: Int
    let minute: Int
    let second: Int

    init(hour: Int, minute: Int, second: Int) {
      self.hour = hour
      self.minute = minute
      self.second = second
    }

    /// - Returns: nil if the parts are not a time of day.
    init?(_ parts: ArraySlice<Substring>) {
      var text = parts.joined()[...]
      guard parts.count <= 2, !text.isEmpty else { return nil }
      let half = ["am", "pm"].first { text.hasSuffix($0) }
      // Only `am` or `pm` can be a separate word.
      if parts.count == 2, half == nil || parts.last.map(String.init) != half { return nil }
      if half != nil { text = text.dropLast(2) }
      let fields = text.split(separator: ":", omittingEmptySubsequences: false)
      guard (half == nil ? 2...3 : 1...3).contains(fields.count), (1...2).contains(fields[0].utf8.count),
        fields.dropFirst().allSatisfy({ $0.utf8.count == 2 })
      else { return nil }
      var numbers: [Int] = []
      for field in fields {
        guard let number = DateText.number(field) else { return nil }
        numbers.append(number)
      }
      guard (half == nil ? 0...23 : 1...12).contains(numbers[0]), numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
        return nil
      }
      hour = half == nil ? numbers[0] : numbers[0] % 12 + (half == "pm" ? 12 : 0)
      minute = numbers.count > 1 ? numbers[1] : 0
      second = numbers.count > 2 ? numbers[2] : 0
    }
  }
}

extension DateText {
  /// Returns the value of text that consists of ASCII digits only.
  fileprivate static func number(_ text: Substring) -> Int? {
    var reader = DateText(String(text))
    guard let number = reader.allDigits(), reader.isAtEnd else { return nil }
    return number.value
  }
}

extension CivilDate {
  /// The date with hours and minutes: `2026-12-24 18:00`.
  package var dayAndMinute: String {
    "\(year.padded(4))-\(month.padded(2))-\(day.padded(2)) \(hour.padded(2)):\(minute.padded(2))"
  }
}
