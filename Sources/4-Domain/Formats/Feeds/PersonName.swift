internal import Timeline

/// A user's name on one line.
enum PersonName {
  /// Returns the display name, or the screen name if there is none; never empty.
  static func short(of user: User) -> String {
    [user.name, user.screenName].lazy.map { ShortLine.of($0, characters: 60) }.first(where: isVisible) ?? "(unknown)"
  }

  /// Returns whether a name is visible. A name may consist only of joiners and byte order marks.
  private static func isVisible(_ name: String) -> Bool {
    // Most names begin with a visible ASCII character, which needs no look-up of a Unicode property.
    name.utf8.contains { (0x21...0x7e).contains($0) }
      || name.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace }
  }

  /// Returns both names, as in `Mira (@mira_demo)`.
  static func full(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return short(of: user) + (handle.isEmpty ? "" : " (\(handle))")
  }

  /// Returns the shortest unambiguous name: `@mira_demo`, or the display name if there is no screen name.
  static func line(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return handle.isEmpty ? short(of: user) : handle
  }

  /// Returns `@mira_demo`, or an empty string if there is no screen name.
  static func handle(of screenName: String) -> String {
    let name = ShortLine.of(screenName, characters: 120)
    return isVisible(name) ? "@" + name : ""
  }
}
