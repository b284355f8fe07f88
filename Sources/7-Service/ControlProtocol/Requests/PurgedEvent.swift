package import JSON

package struct PurgedEvent: ControlEvent {
  package static let name = "purged"
  package var account: String
  /// The number of posts removed or to be removed.
  package var posts: Int
  /// The number of other posts that lose a quotation of a removed post.
  package var quotes: Int

  package init(account: String, posts: Int, quotes: Int) {
    self.account = account
    self.posts = posts
    self.quotes = quotes
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    // Version 0.1.0 also counts these posts in `posts`.
    self.init(
      account: try members.text("account"), posts: try members.number("posts"),
      quotes: members.numberOrNull("quotes") ?? 0)
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("posts", posts)
    json.member("quotes", quotes)
  }
}
