package import JSON

/// A message for the user. Any job can send it.
package struct NoticeEvent: ControlEvent {
  package static let name = "notice"
  package static let isResult = false
  package var message: String

  package init(_ message: String) { self.message = message }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    message = try members.text("message")
  }

  package func write(to json: inout JSONWriter) { json.member("message", message) }
}
