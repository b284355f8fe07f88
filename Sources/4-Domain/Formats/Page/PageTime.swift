package import HTTP
package import Time

/// A time on the page. Its attributes contain the exact time. Its text is in UTC until the script replaces it.
package struct PageTime: Sendable {
  /// The time when the page was written. Ages are relative to it.
  let now: Timestamp

  package init(now: Timestamp) { self.now = now }

  /// Returns a post's age.
  package func age(of time: Timestamp) -> Markup { element(time, "age", Age(of: time, at: now).description) }

  /// Returns the time of day, with the date unless it is today.
  package func clock(_ time: Timestamp) -> Markup {
    let date = CivilDate(time)
    let day = CivilDay(time) == CivilDay(now) ? "" : PageTime.day(date) + ", "
    return element(time, "clock", "\(day)\(Self.twoDigits(date.hour)):\(Self.twoDigits(date.minute)) UTC")
  }

  private func element(_ time: Timestamp, _ name: Markup, _ text: String) -> Markup {
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
