internal import CCurl
internal import Dispatch
package import HTTP
internal import Platform

/// A request for the client: an absolute URL, final headers and the complete body.
package struct ClientRequest: Sendable {
  package let method: RequestMethod
  /// The URL, sent exactly as written, because a signature may cover it.
  package let url: String
  package let headers: HeaderFields
  package let body: [UInt8]?
  package let rules: ResponseRules
  /// The networks that the request may reach; nil for trusted URLs, which come from the user or a provider definition.
  package var addressPolicy: AddressPolicy?

  package init(
    method: RequestMethod, url: String, headers: HeaderFields = [:], body: [UInt8]? = nil,
    rules: ResponseRules = ResponseRules(), addressPolicy: AddressPolicy? = nil
  ) {
    self.addressPolicy = addressPolicy
    self.rules = rules
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// How the response to a request is received, where it differs from the client's policy.
package struct ResponseRules: Sendable, Hashable {
  /// The maximum size of the body in bytes; nil for the policy's limit.
  package var bodyLimit: Int?
  /// Whether to request the body without compression, so that byte ranges refer to the file itself.
  package var isVerbatim = false
  /// Whether the error of an interrupted transfer includes the part received.
  package var keepsPartial = false

  package init(bodyLimit: Int? = nil, isVerbatim: Bool = false, keepsPartial: Bool = false) {
    self.bodyLimit = bodyLimit
    self.isVerbatim = isVerbatim
    self.keepsPartial = keepsPartial
  }
}
