package import JSON

/// Brings all published files of these accounts, and of all views, up to date. Sends no request to a provider.
package struct PublishRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/publish")
  package static var response: ControlResponseForm { .nothing }

  /// The accounts and timelines, as `ACCOUNT` and `ACCOUNT/TIMELINE`; empty means all enabled accounts.
  package var accounts: [String]

  package init(accounts: [String] = []) { self.accounts = accounts }

  private static let members: [RequestMember<Self>] = [RequestMember("accounts", \.accounts)]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init()
    try received.read(Self.members, into: &self)
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}
