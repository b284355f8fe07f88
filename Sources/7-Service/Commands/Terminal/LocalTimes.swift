internal import Glibc
package import Time

/// Times for users, in the time zone and the language of the environment (`TZ`, and `LC_ALL`, `LC_TIME` or `LANG`).
package struct LocalTimes: Sendable {
  private let now: Timestamp
  private let locale: TimeLocale

  /// - Parameter now: the time that ages are relative to.
  package init(at now: Timestamp) {
    self.now = now
    locale = TimeLocale()
  }

  /// Returns the time and the distance from now: `12:04, 3 min ago`, `Mon 12:04, 2 d ago`, `2026-11-10, 14 d ago` or `12:10, in 5 min`. The
  /// weekday is left out today, and the time of day is left out for days that are a week or more away.
  package func text(of time: Timestamp) -> String { "\(place(of: time)), \(distance(to: time))" }

  /// Returns the time without the distance from now.
  package func place(of time: Timestamp) -> String {
    let seconds = abs(time.seconds - now.seconds)
    if seconds >= 7 * 86400 { return day(of: time) }
    guard let clock = locale.text(of: time, locale.clockFormat) else { return time.rfc3339 }
    let isToday = locale.text(of: time, "%Y %j") == locale.text(of: now, "%Y %j")
    let weekday = isToday ? nil : locale.text(of: time, "%a")
    return (weekday.map { "\($0) " } ?? "") + clock
  }

  /// Returns the time without the distance from now, with seconds if it is less than an hour away: `12:04:20`.
  package func exact(of time: Timestamp) -> String {
    guard abs(time.seconds - now.seconds) < 3600 else { return place(of: time) }
    let format = locale.clockFormat.replacing("%M", with: "%M:%S")
    return locale.text(of: time, format) ?? time.rfc3339
  }

  /// Returns the day, the time of day, and the distance from now: `2026-11-24 12:04, 3 min ago`.
  package func fullText(of time: Timestamp) -> String { "\(full(of: time)), \(distance(to: time))" }

  /// Returns the day and the time of day: `2026-11-24 12:04`.
  package func full(of time: Timestamp) -> String {
    guard let clock = locale.text(of: time, locale.clockFormat) else { return time.rfc3339 }
    return "\(day(of: time)) \(clock)"
  }

  /// Returns the day in the language's date format.
  package func day(of time: Timestamp) -> String {
    locale.text(of: time, locale.dayFormat) ?? String(time.rfc3339.prefix { $0 != "T" })
  }

  /// Returns the time from now, such as `in 2 min` or `3 h ago`.
  package func distance(to time: Timestamp) -> String {
    let difference = time.seconds - now.seconds
    let seconds = abs(difference)
    let amount =
      switch seconds {
      case ..<60: ""
      case ..<3600: "\(seconds / 60) min"
      case ..<86400: "\(seconds / 3600) h"
      default: "\(seconds / 86400) d"
      }
    if amount.isEmpty { return "now" }
    return difference < 0 ? "\(amount) ago" : "in \(amount)"
  }
}

/// The language of dates (`newlocale(3)`), and the time zone (`tzset(3)`).
// Sendable because a locale object does not change (POSIX.1-2024 XSH 2.8.2).
@safe private final class TimeLocale: @unchecked Sendable {
  /// The time-of-day format: a 12-hour format if the language uses one.
  let clockFormat: String
  /// The format of a day: the language's own, or ISO 8601 in the C locale.
  let dayFormat: String
  private let locale: locale_t?

  init() {
    tzset()
    unsafe locale = Self.open("") ?? Self.open("C")
    guard let locale = unsafe locale else {
      (clockFormat, dayFormat) = ("%H:%M", "%F")
      return
    }
    let clock = unsafe Self.item(T_FMT, of: locale)
    clockFormat = ["%r", "%I", "%l", "%p"].contains { clock.contains($0) } ? "%-I:%M %p" : "%H:%M"
    // Only the C locale has this format, where the month and the day are easily confused.
    dayFormat = unsafe Self.item(D_FMT, of: locale) == "%m/%d/%y" ? "%F" : "%x"
  }

  deinit { if let locale = unsafe locale { unsafe freelocale(locale) } }

  /// Returns the time in a format of strftime(3); nil if it cannot be represented.
  func text(of time: Timestamp, _ format: String) -> String? {
    guard let locale = unsafe locale else { return nil }
    var seconds = time_t(time.seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
    var bytes = [CChar](repeating: 0, count: 256)
    let count = unsafe strftime_l(&bytes, bytes.count, format, &parts, locale)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // In languages without names for the halves of a day, a 12-hour format ends in a space.
    return text.last == " " ? String(text.dropLast()) : text
  }

  /// Opens a locale.
  /// - Returns: nil if the locale is not installed, or its texts are neither UTF-8 nor ASCII.
  private static func open(_ name: String) -> locale_t? {
    guard let locale = unsafe newlocale(1 << LC_TIME, name, nil) else { return nil }
    if ["UTF-8", "ANSI_X3.4-1968"].contains(unsafe item(_NL_TIME_CODESET, of: locale)) { return unsafe locale }
    unsafe freelocale(locale)
    return nil
  }

  private static func item(_ item: Int, of locale: locale_t) -> String {
    unsafe nl_langinfo_l(nl_item(item), locale).map { unsafe String(cString: $0) } ?? ""
  }
}
