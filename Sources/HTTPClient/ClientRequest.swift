internal import CCurl
internal import Dispatch
package import HTTP
internal import Platform

/// A request for the client: an absolute URL, final headers and the body.
package struct ClientRequest: Sendable {
  package let method: RequestMethod
  /// The URL, sent exactly as written, because a signature may cover it.
  package let url: String
  package let headers: HeaderFields
  package let body: [UInt8]?
  /// A body that is read while it is sent; excludes `body`.
  package var streamedBody: StreamedBody?
  /// Whether the request may be sent again if a reused connection turns out to be closed, so that connections are reused for methods other
  /// than GET too.
  package var isRepeatable = false
  package let rules: ResponseRules
  /// Receives the response body instead of the ``Response``.
  package var receiver: BodyReceiver?
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
  /// How long a transfer may make no progress, in whole seconds, instead of a limit on its total time. For transfers whose time depends on
  /// the size of a file.
  package var idleTimeout: Duration?

  package init(
    bodyLimit: Int? = nil, isVerbatim: Bool = false, keepsPartial: Bool = false, idleTimeout: Duration? = nil
  ) {
    self.bodyLimit = bodyLimit
    self.isVerbatim = isVerbatim
    self.keepsPartial = keepsPartial
    self.idleTimeout = idleTimeout
  }
}
