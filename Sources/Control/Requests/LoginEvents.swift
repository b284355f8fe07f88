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

/// The address where the user authorises the account.
package struct AddressEvent: ControlEvent {
  package static let name = "address"
  package static let isResult = false
  package var url: String
  /// The loopback port of the redirect; nil if the user types a PIN.
  package var callbackPort: Int?

  package init(url: String, callbackPort: Int?) {
    self.url = url
    self.callbackPort = callbackPort
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(url: try members.text("url"), callbackPort: members.numberOrNull("callback_port"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("url", url)
    json.member("callback_port", callbackPort)
  }
}

/// Asks the user to type a user name and a password, each of which is sent in its own `LoginInputRequest`.
package struct PasswordEvent: ControlEvent {
  package static let name = "password"
  package static let isResult = false

  package init() {}
  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {}
  package func write(to json: inout JSONWriter) {}
}

/// Asks the user to type a token. Each line is sent in one `LoginInputRequest`.
package struct TokenWantedEvent: ControlEvent {
  package static let name = "token_wanted"
  /// The number of lines: 1, or 2 for OAuth 1.0a (the token and its secret).
  package var lines: Int

  package init(lines: Int) { self.lines = lines }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    guard let lines = members.numberOrNull("lines") else { throw EventMembers.MissingMemberError(name: "lines") }
    self.lines = lines
  }

  package func write(to json: inout JSONWriter) { json.member("lines", lines) }
}

/// A code that the user types on any device.
package struct CodeEvent: ControlEvent {
  package static let name = "code"
  package static let isResult = false
  package var code: String
  /// The address of the page that accepts the code.
  package var url: String
  /// An address that includes the code; nil if the server offers none.
  package var completeURL: String?

  package init(code: String, url: String, completeURL: String?) {
    self.code = code
    self.url = url
    self.completeURL = completeURL
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      code: try members.text("code"), url: try members.text("url"), completeURL: members.textOrNull("complete_url"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("url", url)
    json.member("complete_url", completeURL)
  }
}

/// Reports that the user has authorised the account.
package struct AuthorisedEvent: ControlEvent {
  package static let name = "authorised"
  var userID: String
  package var screenName: String
  /// The user's display name.
  package var userName: String

  package init(userID: String, screenName: String, userName: String) {
    self.userID = userID
    self.screenName = screenName
    self.userName = userName
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    let user = try members.object("user")
    self.init(
      userID: user.textOrNull("id") ?? "", screenName: user.textOrNull("screen_name") ?? "",
      userName: user.textOrNull("name") ?? "")
  }

  package func write(to json: inout JSONWriter) {
    json.name("user")
    json.object { json in
      json.member("id", userID)
      json.member("screen_name", screenName)
      json.member("name", userName)
    }
  }
}

/// Reports that the files of the account's previous user have been moved aside.
package struct SetAsideEvent: ControlEvent {
  package static let name = "set_aside"
  package var paths: [String]

  package init(paths: [String]) { self.paths = paths }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) { paths = try members.list("paths") }

  package func write(to json: inout JSONWriter) { json.member("paths", list: paths) { $0.string($1) } }
}

/// Reports that the token has been stored.
package struct StoredEvent: ControlEvent {
  package static let name = "stored"
  package var path: String

  package init(path: String) { self.path = path }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) { path = try members.text("path") }

  package func write(to json: inout JSONWriter) { json.member("path", path) }
}
