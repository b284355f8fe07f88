package import HTTP

/// A request that the client is to send: absolute URL, ready headers, whole body.
package struct ClientRequest: Sendable {
  package let method: RequestMethod
  /// Sent as it stands: what was signed must not be rewritten on its way.
  package let url: String
  package let headers: HeaderFields
  package let body: [UInt8]?
  package let rules: ResponseRules
  /// Where it may go; `nil` for an address that the user or a provider's own file names, which may be anywhere.
  package var reach: Reach?

  package init(
    method: RequestMethod, url: String, headers: HeaderFields = [:], body: [UInt8]? = nil,
    rules: ResponseRules = ResponseRules(), reach: Reach? = nil
  ) {
    self.reach = reach
    self.rules = rules
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}
