package import JSON

/// Asks an account's server which timelines it offers.
package struct TimelinesRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/timelines")
  package static var response: ControlResponseForm { .events([TimelineEvent.self]) }

  /// The account; nil means the only enabled account.
  package var account: String?

  package init(account: String? = nil) { self.account = account }

  private static let members: [RequestMember<Self>] = [RequestMember("account", \.account)]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init()
    try received.read(Self.members, into: &self)
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}
