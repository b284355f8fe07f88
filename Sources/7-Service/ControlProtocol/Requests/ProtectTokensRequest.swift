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
