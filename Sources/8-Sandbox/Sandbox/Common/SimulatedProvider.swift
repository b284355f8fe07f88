package import HTTP
package import Time

/// A simulated provider. It is a value that converts requests to responses without I/O.
package protocol SimulatedProvider: Sendable {
  /// Responds to a request.
  /// - Parameter now: the actual time.
  mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse

  /// Returns the time on the provider's clock, which tests can set ahead or back.
  /// - Parameter now: the actual time.
  func clock(at now: Timestamp) -> Timestamp

  /// The tokens that must stay revoked after a restart; empty if no tokens survive a restart.
  var revokedTokens: Set<String> { get }

  /// The maximum size of a request's body in bytes.
  var bodyLimit: Int { get }

  /// Returns a file that a user has uploaded; nil for other keys. Its content is empty if it has been discarded.
  /// - Parameter key: identifies the file in the addresses of pictures.
  func uploadedFile(_ key: String) -> UploadedFile?

  /// Returns the information that a developer needs to use the provider: endpoints, client credentials, scopes.
  /// - Parameters:
  ///   - base: scheme, host and port, without a trailing slash.
  ///   - redirects: the registered redirect URIs.
  func guide(base: String, redirects: [String]) -> [GuideLine]
}

extension SimulatedProvider {
  package func clock(at now: Timestamp) -> Timestamp { now }
  package var revokedTokens: Set<String> { [] }
  package var bodyLimit: Int { 1 << 20 }
  package func uploadedFile(_ key: String) -> UploadedFile? { nil }
  package func guide(base: String, redirects: [String]) -> [GuideLine] { [] }
}
