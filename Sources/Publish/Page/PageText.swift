internal import CivilTime
internal import Timeline

/// One line of text from elsewhere, as it stands in the page.
enum PageText {
  /// Fit for an attribute, or for the page's title: one line without control and direction characters.
  static func line(_ text: String) -> String { MarkupEscape.text(SafeText.line(of: text)) }

  /// Fit to stand beside other text: its direction of writing ends where it ends (HTML Standard §4.5.24).
  static func isolated(_ text: String) -> String { "<bdi>\(line(text))</bdi>" }
}

/// What a person is called.
enum PageName {
  /// The name and the screen name.
  static func html(of user: User) -> String {
    let screenName = SafeText.line(of: user.screenName)
    let handle = screenName.isEmpty ? "" : "<span class=\"handle\">\(PageText.isolated("@" + screenName))</span>"
    return "<span class=\"name\">\(PageText.isolated(shown(user)))</span>\(handle)"
  }

  /// The name alone, or what there is in its place.
  static func shown(_ user: User) -> String {
    let names = [user.name, user.screenName].map(SafeText.line)
    return names.first { $0.contains { !$0.isWhitespace } } ?? "(unknown)"
  }
}

/// A link to somewhere else: it tells nobody where it was followed, and gives the other page no hold on this one.
enum PageLink {
  /// The attributes of an `a` element; `nil` for an address that is not one of the web.
  static func attributes(to address: String?) -> String? {
    guard let address, let link = WebLink(address) else { return nil }
    return "href=\"\(MarkupEscape.text(link.text))\" rel=\"noopener noreferrer nofollow\""
  }

  /// The content as a link, or as it is where the address is not one of the web.
  /// - Parameters:
  ///   - content: HTML.
  ///   - name: the class of the element.
  static func html(_ content: String, to address: String?, class name: String) -> String {
    guard let attributes = attributes(to: address) else { return "<span class=\"\(name)\">\(content)</span>" }
    return "<a class=\"\(name)\" \(attributes)>\(content)</a>"
  }

  /// The host that an address leads to, without `www.`, for a link's words; `nil` for an address that is not one of the web.
  static func host(of address: String) -> String? {
    guard let text = WebLink(address)?.text.unicodeScalars, let scheme = text.firstIndex(of: ":") else { return nil }
    // Behind the scheme come two slashes; a host has neither of these three in it.
    let host = String(text[scheme...].dropFirst(3).prefix { !["/", "?", "#"].contains($0) })
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }
}

/// The page's own small drawings, drawn once and used by name. They say nothing that is not said in words, too.
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
