package import HTTP
package import Timeline

/// A user's name on the page.
package enum PageName {
  /// Returns the display name and the screen name.
  /// - Parameter line: returns the HTML of each of them; see ``PagePostOptions/line``.
  package static func html(of user: User, _ line: (String) -> Markup = PageText.line) -> Markup {
    let screenName = line(user.screenName)
    let handle: Markup = screenName.isEmpty ? "" : "<span class=\"handle\"><bdi>@\(screenName)</bdi></span>"
    return "<span class=\"name\"><bdi>\(line(chosen(user)))</bdi></span>\(handle)"
  }

  /// Returns the display name, or its replacement if there is none.
  package static func shown(_ user: User) -> String { SafeText.line(of: chosen(user)) }

  /// Returns the name to show as the server sent it.
  static func chosen(_ user: User) -> String {
    [user.name, user.screenName].first { SafeText.line(of: $0).contains { !$0.isWhitespace } } ?? "(unknown)"
  }
}
