/// What a feed is called.
enum FeedTitle {
  static func of(_ head: TimelineHead) -> String { "\(owner(of: head))'s home timeline" }

  /// Whose timeline it is: the user's name, or the account's before the first login and for a view over several.
  static func owner(of head: TimelineHead) -> String { head.user.map(PersonName.short) ?? head.account }
}
