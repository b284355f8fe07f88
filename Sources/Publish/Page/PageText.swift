internal import CivilTime
internal import Timeline

/// A line of external text for use in the page.
enum PageText {
  /// Returns one line without control and direction characters, for use in an attribute or the page's title.
  static func line(_ text: String) -> String { MarkupEscape.text(SafeText.line(of: text)) }

  /// Returns text whose writing direction does not affect the text around it (HTML Standard §4.5.24).
  static func isolated(_ text: String) -> String { "<bdi>\(line(text))</bdi>" }
}

/// A user's name on the page.
enum PageName {
  /// Returns the display name and the screen name.
  static func html(of user: User) -> String {
    let screenName = SafeText.line(of: user.screenName)
    let handle = screenName.isEmpty ? "" : "<span class=\"handle\">\(PageText.isolated("@" + screenName))</span>"
    return "<span class=\"name\">\(PageText.isolated(shown(user)))</span>\(handle)"
  }

  /// Returns the display name, or its replacement if there is none.
  static func shown(_ user: User) -> String {
    let names = [user.name, user.screenName].map(SafeText.line)
    return names.first { $0.contains { !$0.isWhitespace } } ?? "(unknown)"
  }
}

/// A link to another site. It sends no referrer and gives the site no access to this page.
enum PageLink {
  /// Returns the attributes of an `a` element; `nil` if this is not a web address.
  static func attributes(to address: String?) -> String? {
    guard let address, let link = WebLink(address) else { return nil }
    return "href=\"\(MarkupEscape.text(link.text))\" rel=\"noopener noreferrer nofollow\""
  }

  /// Returns the content as a link, or unchanged if the address is not a web address.
  /// - Parameters:
  ///   - content: HTML.
  ///   - name: the class of the element.
  static func html(_ content: String, to address: String?, class name: String) -> String {
    guard let attributes = attributes(to: address) else { return "<span class=\"\(name)\">\(content)</span>" }
    return "<a class=\"\(name)\" \(attributes)>\(content)</a>"
  }

  /// Returns an address's host without `www.`, for use as link text; `nil` if the address is not a web address.
  static func host(of address: String) -> String? {
    guard let text = WebLink(address)?.text.unicodeScalars, let scheme = text.firstIndex(of: ":") else { return nil }
    // The scheme is followed by two slashes, and a host contains none of these three characters.
    let host = String(text[scheme...].dropFirst(3).prefix { !["/", "?", "#"].contains($0) })
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }
}

/// The page's icons, each defined once and referenced by name. They are decorative: the text contains the same information.
enum PageIcons {
  static func use(_ name: String) -> String {
    "<svg class=\"icon\" aria-hidden=\"true\" focusable=\"false\"><use href=\"#icon-\(name)\"/></svg>"
  }

  static let html =
    "<svg class=\"icons\" aria-hidden=\"true\" focusable=\"false\">"
    + drawings.map { "<symbol id=\"icon-\($0)\" viewBox=\"0 0 16 16\"><path d=\"\($1)\"/></symbol>" }.joined()
    + "</svg>\n"

  private static let drawings = [
    ("reply", "M2.5 4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v4.5a2 2 0 0 1-2 2H7l-3.5 3v-3.2a2 2 0 0 1-1-1.8z"),
    ("repost", "M3 8V6a2 2 0 0 1 2-2h7.5M10 1.5 12.5 4 10 6.5M13 8v2a2 2 0 0 1-2 2H3.5M6 14.5 3.5 12 6 9.5"),
    ("like", "M8 13.5S2 10 2 6a3.2 3.2 0 0 1 6-1.5A3.2 3.2 0 0 1 14 6c0 4-6 7.5-6 7.5z"),
    ("picture", "M2.5 3.5h11v9h-11zM2.5 11l3.5-3.5 3 3 2-2 2.5 2.5M10.5 6.2v.1"),
    ("also", "M6.5 9.5l5-5M8 4.5h3.5V8M11 10v2.5H3.5V5H6"),
  ]
}

/// A time on the page. Its attributes contain the exact time. Its text is in UTC until the script replaces it.
struct PageTime {
  /// The time when the page was written, from which ages are counted.
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
