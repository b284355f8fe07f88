package import HTTP

/// A request that was answered, as tests see it; nothing in it is secret.
package struct SandboxRecord: Sendable, Equatable {
  package let method: RequestMethod
  package let path: String
  /// nil when the connection was ended instead.
  package let status: StatusCode?

  package init(method: RequestMethod, path: String, status: StatusCode?) {
    self.method = method
    self.path = path
    self.status = status
  }
}
