package import CivilTime

/// The provider of OAuth 1.0a on a port of loopback.
package typealias SandboxServer = FakeServer<SandboxProvider>

extension FakeServer where Service == SandboxProvider {
  /// Begins to serve.
  /// - Parameters:
  ///   - stateFolder: for the key and the revoked tokens; made where it is missing. One sandbox at a time may have it.
  ///   - port: 0 takes a free one, another at each start: nothing in a token depends on it.
  ///   - onRequest: called for each request, before its answer leaves, on a queue of the sandbox.
  package convenience init(
    stateFolder: String, policy: SandboxPolicy = SandboxPolicy(), port: UInt16 = 0, clock: WallClock = .system,
    onRequest: (@Sendable (SandboxRecord) -> Void)? = nil
  ) throws(SandboxError) {
    let folder = try SandboxFolder(stateFolder)
    let provider = SandboxProvider(key: try folder.key(), policy: policy, revokedTokens: try folder.revokedTokens())
    try self.init(
      provider, keepingIn: folder, on: try Self.sockets(port: port),
      SandboxKind.Options(clock: clock, onRequest: onRequest))
  }

  /// The address of a route.
  package func address(of route: SandboxRoute) -> String { baseURL + route.path }

  /// Reads or sets what is to go wrong, from any thread.
  package func withFaults<Result>(_ body: (inout SandboxFaults) -> Result) -> Result { with { body(&$0.faults) } }

  /// What the API v2 has delivered, from any thread.
  package var ledger: SandboxLedger { with { $0.ledger } }
}
