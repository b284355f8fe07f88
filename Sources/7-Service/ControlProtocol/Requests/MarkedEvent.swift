package import JSON

package struct MarkedEvent: ControlEvent {
  package static let name = "marked"
  /// The account for its home timeline, otherwise `ACCOUNT/TIMELINE`.
  package var account: String
  /// The id of the newest read post; nil if no post has been read.
  package var upTo: String?
  /// The number of published posts newer than that post.
  package var unread: Int

  package init(account: String, upTo: String?, unread: Int) {
    self.account = account
    self.upTo = upTo
    self.unread = unread
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), upTo: members.textOrNull("up_to"), unread: try members.number("unread"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("up_to", upTo)
    json.member("unread", unread)
  }
}
