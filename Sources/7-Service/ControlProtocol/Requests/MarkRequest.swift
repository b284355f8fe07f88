package import JSON

/// Marks posts as read.
package struct MarkRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/read")
  package static var response: ControlResponseForm { .events([MarkedEvent.self]) }

  /// The account, which means its home timeline, or `ACCOUNT/TIMELINE`; nil means all enabled accounts, or the only enabled one if `upTo` is
  /// set.
  package var account: String?
  /// The id of the newest post to mark as read; nil means the newest post of all.
  package var upTo: String?

  package init(account: String?, upTo: String?) {
    self.account = account
    self.upTo = upTo
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("up_to", \.upTo),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init(account: nil, upTo: nil)
    try received.read(Self.members, into: &self)
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}
