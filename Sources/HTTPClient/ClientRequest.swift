internal import CCurl
internal import Dispatch
package import HTTP
internal import Platform

/// A request that the client is to send: absolute URL, ready headers, whole body.
package struct ClientRequest: Sendable {
  package let method: RequestMethod
  /// Sent as it stands: what was signed must not be rewritten on its way.
  package let url: String
  package let headers: HeaderFields
  package let body: [UInt8]?
  package let rules: ResponseRules
  /// Where it may go; `nil` for an address that the user or a provider's own file names, which may be anywhere.
  package var reach: AddressPolicy?

  package init(
    method: RequestMethod, url: String, headers: HeaderFields = [:], body: [UInt8]? = nil,
    rules: ResponseRules = ResponseRules(), reach: AddressPolicy? = nil
  ) {
    self.reach = reach
    self.rules = rules
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// How the answer to one request is received, where that differs from the client's policy.
package struct ResponseRules: Sendable, Hashable {
  /// Bytes of a body; `nil` is the policy's limit.
  package var bodyLimit: Int?
  /// Whether the bytes are wanted as they are stored: no compression is asked for, so that a range of them counts their own bytes.
  package var isVerbatim = false
  /// Whether the error of an answer that broke off carries what had come of it.
  package var keepsPartial = false

  package init(bodyLimit: Int? = nil, isVerbatim: Bool = false, keepsPartial: Bool = false) {
    self.bodyLimit = bodyLimit
    self.isVerbatim = isVerbatim
    self.keepsPartial = keepsPartial
  }
}
