package import JSON

/// Reports that a login has started.
package struct BegunEvent: ControlEvent {
  package static let name = "begun"
  package static let isResult = false
  /// The login's identifier, for `LoginInputRequest`.
  package var login: String
  package var account: String

  package init(login: String, account: String) {
    self.login = login
    self.account = account
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(login: try members.text("login"), account: try members.text("account"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("login", login)
    json.member("account", account)
  }
}
