internal import HTTP
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
