/// An action on a post, as named by the last segment of the request's path.
struct MastodonActions {
  /// `reblog`, `favourite` or `bookmark`.
  let name: String
  let isUndone: Bool

  private static let scopes = [
    "reblog": "write:statuses", "favourite": "write:favourites", "bookmark": "write:bookmarks",
  ]

  /// Returns the member of a status that tells whether an action is in effect, such as `reblogged`.
  static func participle(_ name: String) -> String {
    switch name {
    case "reblog": "reblogged"
    case "bookmark": "bookmarked"
    default: name + "d"
    }
  }

  init?(verb: String) {
    isUndone = verb.hasPrefix("un")
    name = isUndone ? String(verb.dropFirst(2)) : verb
    guard Self.scopes[name] != nil else { return nil }
  }

  /// Returns the scope that an action requires.
  static func scope(ofVerb verb: String) -> String {
    MastodonActions(verb: verb).flatMap { scopes[$0.name] } ?? "write:statuses"
  }
}
