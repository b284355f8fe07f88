internal import Timeline

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
