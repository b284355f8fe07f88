package import CivilTime

/// How a provider is to be simulated.
package struct SandboxOptions: Sendable {
  /// For what outlives the run, which is only of ``SandboxKind/twitter``; nil keeps nothing.
  package var stateFolder: String?
  /// The redirect URIs that are registered for the application, where the provider has such. Any port of a loopback address is
  /// let in.
  package var redirects: [String]
  package var faults: StandingFaults
  package var clock: WallClock
  /// Called for each request, before its answer leaves, on a queue of the sandbox.
  package var onRequest: (@Sendable (SandboxRecord) -> Void)?

  package init(
    stateFolder: String? = nil, redirects: [String] = [], faults: StandingFaults = StandingFaults(),
    clock: WallClock = .system, onRequest: (@Sendable (SandboxRecord) -> Void)? = nil
  ) {
    self.stateFolder = stateFolder
    self.redirects = redirects
    self.faults = faults
    self.clock = clock
    self.onRequest = onRequest
  }
}
