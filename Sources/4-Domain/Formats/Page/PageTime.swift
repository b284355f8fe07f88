internal import Time

/// A time on the page. Its attributes contain the exact time. Its text is in UTC until the script replaces it.
struct PageTime {
  /// The time when the page was written. Ages are relative to it.
  let now: Timestamp

  /// Returns a post's age.
  func age(of time: Timestamp) -> String { element(time, "age", Age(of: time, at: now).description) }

  /// Returns the time of day, with the date unless it is today.
  func clock(_ time: Timestamp) -> String {
    let date = CivilDate(time)
    let day = CivilDay(time) == CivilDay(now) ? "" : PageTime.day(date) + ", "
    return element(time, "clock", "\(day)\(Self.twoDigits(date.hour)):\(Self.twoDigits(date.minute)) UTC")
  }

  private func element(_ time: Timestamp, _ name: String, _ text: String) -> String {
    "<time class=\"\(name)\" datetime=\"\(time.rfc3339)\" title=\"\(Self.exact(time))\">\(text)</time>"
  }

  /// Returns a time formatted like `Fri 20 Nov 2026, 15:59 UTC`.
  static func exact(_ time: Timestamp) -> String {
    let date = CivilDate(time)
    return "\(day(date)) \(date.year), \(twoDigits(date.hour)):\(twoDigits(date.minute)) UTC"
  }

  /// Returns a date formatted like `Fri 20 Nov`.
  static func day(_ date: CivilDate) -> String {
    "\(weekdays[date.weekday]) \(date.day) \(months[date.month - 1])"
  }

  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
