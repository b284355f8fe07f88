package import JSON

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
