/// The title of a feed.
enum FeedTitle {
  static func of(_ head: TimelineHead) -> String { "\(owner(of: head))'s home timeline" }

  /// Returns the user's name or, before the first login and for a view, the account's name.
  static func owner(of head: TimelineHead) -> String { head.user.map(PersonName.short) ?? head.account }
}
