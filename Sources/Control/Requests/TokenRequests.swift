package import CivilTime
internal import HTTP
package import HomelineOAuth
package import JSON

/// Revokes and deletes an account's token.
package struct LogoutRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/logout")
  package static var response: ControlResponseForm { .events([LoggedOutEvent.self]) }

  package var account: String

  package init(account: String) { self.account = account }

  private static let members: [RequestMember<Self>] = [RequestMember("account", \.account)]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init(account: "")
    guard try received.read(Self.members, into: &self).contains("account") else {
      throw ControlError(.badRequest, "the content must name the account: {\"account\":NAME}")
    }
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

/// The outcome of a logout.
package struct LoggedOutEvent: ControlEvent {
  package static let name = "logged_out"
  package var account: String
  var outcome: Outcome
  /// The outcome as a message, without the account's name.
  package var message: String

  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    case revoked
    /// The provider does not offer revocation.
    case deletedOnly = "deleted-only"
    /// The provider did not revoke the token.
    case notRevoked = "not-revoked"
    case wasNotAuthorised = "was-not-authorised"
  }

  package init(account: String, outcome: Outcome, message: String) {
    self.account = account
    self.outcome = outcome
    self.message = message
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    guard let outcome = Outcome(rawValue: try members.text("outcome")) else {
      throw EventMembers.MissingMemberError(name: "outcome")
    }
    self.init(account: try members.text("account"), outcome: outcome, message: try members.text("message"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("outcome", outcome.rawValue)
    json.member("message", message)
  }
}

/// Requests a valid access token.
package struct IssueTokenRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/token")
  package static var response: ControlResponseForm { .events([TokenEvent.self]) }

  /// The account; nil means the only enabled account.
  package var account: String?
  /// Whether to renew the token even if no renewal is due, because the provider has rejected it.
  package var renews = false

  package init(account: String? = nil, renews: Bool = false) {
    self.account = account
    self.renews = renews
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("renew", \.renews, isOmittedIfFalse: true),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init()
    try received.read(Self.members, into: &self)
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

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
