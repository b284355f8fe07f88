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
  /// A body that is read while it is sent. A streamed body cannot be combined with `body`.
  package var streamedBody: StreamedBody?
  /// Whether the request may be sent again if the server has closed a reused connection. If so, a connection is reused even for methods
  /// other than GET.
  package var isRepeatable = false
  package let rules: ResponseRules
  /// Receives the body of the response, which the ``Response`` then does not contain.
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

/// The rules for receiving the response to a request, where they differ from the client's policy.
package struct ResponseRules: Sendable, Hashable {
  /// The maximum size of the body in bytes; nil for the policy's limit.
  package var bodyLimit: Int?
  /// Whether to request the body without compression, so that byte ranges refer to the file itself.
  package var isVerbatim = false
  /// Whether the error from an interrupted transfer includes the part received so far.
  package var keepsPartial = false
  /// The maximum time without progress, in whole seconds; nil to limit the total time instead. This limit is for transfers whose total time
  /// depends on the size of a file.
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
