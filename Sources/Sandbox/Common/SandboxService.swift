package import CivilTime
package import HTTP

/// A provider that is played here, as a value: request in, answer out, no I/O.
package protocol SandboxService: Sendable {
  mutating func answer(to request: Request, at now: Timestamp) -> SandboxAnswer
  /// The time on the provider's clock when it is truly `now`.
  func clock(at now: Timestamp) -> Timestamp
  /// Tokens that must stay dead when the program begins anew; empty where none outlives it.
  var revokedTokens: Set<String> { get }
}

extension SandboxService {
  package func clock(at now: Timestamp) -> Timestamp { now }
  package var revokedTokens: Set<String> { [] }
}
