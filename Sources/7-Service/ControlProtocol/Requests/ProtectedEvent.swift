package import JSON
package import Settings

/// How an account's token is stored.
package struct ProtectedEvent: ControlEvent {
  package static let name = "protected"
  package var account: String
  package var protection: TokenProtection
  package var outcome: Outcome

  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The token had a different form before.
    case changed
    /// The token already had this form, or there is no token.
    case unchanged
  }

  package init(account: String, protection: TokenProtection, outcome: Outcome) {
    self.account = account
    self.protection = protection
    self.outcome = outcome
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    guard let protection = TokenProtection(rawValue: try members.text("protect")) else {
      throw EventMembers.MissingMemberError(name: "protect")
    }
    guard let outcome = Outcome(rawValue: try members.text("outcome")) else {
      throw EventMembers.MissingMemberError(name: "outcome")
    }
    self.init(account: try members.text("account"), protection: protection, outcome: outcome)
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("protect", protection.rawValue)
    json.member("outcome", outcome.rawValue)
  }
}
