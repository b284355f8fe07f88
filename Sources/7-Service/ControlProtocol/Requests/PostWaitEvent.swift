package import JSON
package import Time

/// Reports why a post that a command waits for cannot be sent now, and until when it waits.
package struct PostWaitEvent: ControlEvent {
  package static let name = "waiting"
  package static let isResult = false
  package var account: String
  /// A sentence for the user, without a full stop.
  package var reason: String
  /// The time of the next attempt; nil until the server responds.
  package var until: Timestamp?

  package init(account: String, reason: String, until: Timestamp?) {
    self.account = account
    self.reason = reason
    self.until = until
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), reason: try members.text("reason"), until: members.timeOrNull("until"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("reason", reason)
    json.member("until", until?.rfc3339)
  }
}
