package import JSON

/// The progress of a refresh, an import or a purge.
package struct ProgressEvent: ControlEvent {
  package static let name = "progress"
  package static let isResult = false
  /// The account, for another timeline than home `ACCOUNT/TIMELINE`.
  package var account: String
  package var done: Int
  /// The final value of `done`; 0 if unknown.
  package var of: Int
  /// The number of posts added or removed so far.
  package var posts: Int

  package init(account: String, done: Int, of: Int, posts: Int) {
    self.account = account
    self.done = done
    self.of = of
    self.posts = posts
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), done: try members.number("done"), of: try members.number("of"),
      posts: try members.number("posts"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("done", done)
    json.member("of", of)
    json.member("posts", posts)
  }
}
