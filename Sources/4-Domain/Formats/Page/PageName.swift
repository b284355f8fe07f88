package import HTTP
package import Timeline

/// A user's name on the page.
package enum PageName {
  /// Returns the display name and the screen name.
  package static func html(of user: User) -> Markup {
    let screenName = SafeText.line(of: user.screenName)
    let handle: Markup =
      screenName.isEmpty ? "" : "<span class=\"handle\">\(PageText.isolated("@" + screenName))</span>"
    return "<span class=\"name\">\(PageText.isolated(shown(user)))</span>\(handle)"
  }

  /// Returns the display name, or its replacement if there is none.
  package static func shown(_ user: User) -> String {
    let names = [user.name, user.screenName].map(SafeText.line)
    return names.first { $0.contains { !$0.isWhitespace } } ?? "(unknown)"
  }
}
