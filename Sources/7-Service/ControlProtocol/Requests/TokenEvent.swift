package import Bytes
package import JSON
package import Time

/// A valid access token.
package struct TokenEvent: ControlEvent {
  package static let name = "token"
  var account: String
  package var accessToken: Secret
  /// The expiry time, according to the server's clock; nil if the server did not report one.
  var expiresAt: Timestamp?

  package init(account: String, accessToken: Secret, expiresAt: Timestamp?) {
    self.account = account
    self.accessToken = accessToken
    self.expiresAt = expiresAt
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), accessToken: Secret(try members.text("access_token")),
      expiresAt: members.timeOrNull("expires_at"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    accessToken.withExposedText { json.member("access_token", $0) }
    json.member("expires_at", expiresAt?.rfc3339)
  }
}
