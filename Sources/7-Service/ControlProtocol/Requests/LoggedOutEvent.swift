package import JSON

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
