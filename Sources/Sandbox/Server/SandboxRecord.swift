internal import CivilTime
internal import Dispatch
package import HTTP
internal import Platform
internal import Transport

/// A request that was answered, as tests see it. Nothing in it is secret but a request token in the query of a login.
package struct SandboxRecord: Sendable, Equatable {
  package let method: RequestMethod
  package let path: String
  /// As it was sent.
  package let query: String?
  /// nil when the connection was ended instead.
  package let status: StatusCode?

  package init(method: RequestMethod, path: String, query: String? = nil, status: StatusCode?) {
    self.method = method
    self.path = path
    self.query = query
    self.status = status
  }
}
