package import JSON

/// Requests a valid access token.
package struct IssueTokenRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/token")
  package static var response: ControlResponseForm { .events([TokenEvent.self]) }

  /// The account; nil means the only enabled account.
  package var account: String?
  /// Whether to renew the token even if no renewal is due, because the provider has refused it.
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
