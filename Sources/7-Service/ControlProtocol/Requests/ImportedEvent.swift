package import JSON

package struct ImportedEvent: ControlEvent {
  package static let name = "imported"
  package var account: String
  package var new: Int
  /// The number of posts that were already stored, and have been left unchanged.
  package var known: Int

  package init(account: String, new: Int, known: Int) {
    self.account = account
    self.new = new
    self.known = known
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), new: try members.number("new"), known: try members.number("known"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("new", new)
    json.member("known", known)
  }
}
