internal import HTTP
package import JSON
package import Settings

/// Reloads the configuration, and rewrites all stored tokens in the form that it specifies.
package struct ProtectTokensRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/protect-tokens")
  package static var response: ControlResponseForm { .events([ProtectedEvent.self]) }

  /// The expected value of `protect` in the configuration.
  package var protection: TokenProtection

  package init(_ protection: TokenProtection) { self.protection = protection }

  package init(_ received: ReceivedRequest) throws(ControlError) {
    var text: String?
    try received.members { json, name in
      guard name == "protect" else { return false }
      text = try json.string()
      return true
    }
    guard let protection = text.flatMap({ TokenProtection(rawValue: $0) }) else {
      throw ControlError(.badRequest, "the content must be {\"protect\":\"files\"} or {\"protect\":\"keyring\"}")
    }
    self.protection = protection
  }

  package func write(to json: inout JSONWriter) { json.member("protect", protection.rawValue) }
}

/// The form in which an account's token is stored.
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
