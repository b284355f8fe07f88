package import JSON

/// Asks the user to type a user name and a password. Each is sent in its own `LoginInputRequest`.
package struct PasswordEvent: ControlEvent {
  package static let name = "password"
  package static let isResult = false

  package init() {}
  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {}
  package func write(to json: inout JSONWriter) {}
}
