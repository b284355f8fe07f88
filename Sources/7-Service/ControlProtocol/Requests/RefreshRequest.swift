package import JSON

/// Fetches new posts of these accounts and timelines now. An account alone means all of its timelines.
package struct RefreshRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/refresh")
  package static var response: ControlResponseForm { .events([ProgressEvent.self, RefreshedEvent.self]) }

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
