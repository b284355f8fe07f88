internal import CivilTime

/// A moment as the page shows it: exact in its attributes, in UTC until the script knows better.
struct PageTime {
  /// When the page is written: what ages are counted from.
  let now: Timestamp

  /// How long ago it was.
  func age(of time: Timestamp) -> String { element(time, "age", Age(of: time, at: now).description) }

  /// Its time of day, with the day unless that is today.
  func clock(_ time: Timestamp) -> String {
    let date = CivilDate(time)
    let day = CivilDay(time) == CivilDay(now) ? "" : PageTime.day(date) + ", "
    return element(time, "clock", "\(day)\(Self.twoDigits(date.hour)):\(Self.twoDigits(date.minute)) UTC")
  }

  private func element(_ time: Timestamp, _ name: String, _ words: String) -> String {
    "<time class=\"\(name)\" datetime=\"\(time.rfc3339)\" title=\"\(Self.exact(time))\">\(words)</time>"
  }

  /// As in `Fri 20 Nov 2026, 15:59 UTC`.
  static func exact(_ time: Timestamp) -> String {
    let date = CivilDate(time)
    return "\(day(date)) \(date.year), \(twoDigits(date.hour)):\(twoDigits(date.minute)) UTC"
  }

  /// As in `Fri 20 Nov`.
  static func day(_ date: CivilDate) -> String {
    "\(weekdays[date.weekday]) \(date.day) \(months[date.month - 1])"
  }

  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
