internal import Timeline

/// What a person is called where others are named beside them, fit for one line.
enum PersonName {
  /// The name that they gave themselves, else the screen name; never empty.
  static func short(of user: User) -> String {
    [user.name, user.screenName].lazy.map { ShortLine.of($0, characters: 60) }.first(where: isVisible) ?? "(unknown)"
  }

  /// Whether there is anything to see: a name can be of nothing but joiners and byte order marks.
  private static func isVisible(_ name: String) -> Bool {
    name.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace }
  }

  /// Both: `Mira (@mira_demo)`.
  static func full(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return short(of: user) + (handle.isEmpty ? "" : " (\(handle))")
  }

  /// The shortest that tells who it is: `@mira_demo`, else the name.
  static func line(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return handle.isEmpty ? short(of: user) : handle
  }

  /// `@mira_demo`, or nothing where there is none.
  static func handle(of screenName: String) -> String {
    let name = ShortLine.of(screenName, characters: 120)
    return isVisible(name) ? "@" + name : ""
  }
}
