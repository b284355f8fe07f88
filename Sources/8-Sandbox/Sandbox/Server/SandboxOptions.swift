package import HTTP
package import Time

/// The options of a simulated provider.
package struct SandboxOptions: Sendable {
  /// The folder for the state of a provider whose tokens survive a restart; `nil` stores nothing.
  package var stateFolder: String?
  /// The registered redirect URIs, for providers with registered applications. Any port is accepted in a loopback address.
  package var redirects: [String]
  package var clock: WallClock
  /// Returns the fault for the response to a request, if any. Called on the server's queue.
  package var fault: @Sendable (Request) -> SandboxFault? = { _ in nil }
  /// Returns whether to reset the connection when half of a large request's content has arrived. Called on the server's queue; the content
  /// of the request is incomplete.
  package var interrupts: @Sendable (Request) -> Bool = { _ in false }
  /// Called for each request before its response is sent, on the server's queue. The status is `nil` if the connection is closed
  /// without a response.
  package var onRequest: @Sendable (Request, StatusCode?) -> Void = { _, _ in }

  package init(stateFolder: String? = nil, redirects: [String] = [], clock: WallClock = .system) {
    self.stateFolder = stateFolder
    self.redirects = redirects
    self.clock = clock
  }
}
