package import JSON

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

  /// Whether the provider does not say who the user is. The names must then not be shown.
  package var isUnknown: Bool { userID == "-" }

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
