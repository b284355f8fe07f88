internal import Timeline

/// The title of a feed.
enum FeedTitle {
  static func of(_ head: TimelineHead) -> String {
    let title = TimelineTitle.of(head.timeline)
    return head.timeline.argument == nil ? "\(owner(of: head))'s \(title)" : "\(owner(of: head)) · \(title)"
  }

  /// Returns the user's name or, before the first login and for a view, the account's name.
  static func owner(of head: TimelineHead) -> String { head.user.map(PersonName.short) ?? head.account }
}
