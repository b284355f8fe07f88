internal import Scheduling
package import Timeline

extension RefreshOutcome {
  /// Creates the outcome that reports a problem to the schedule.
  package init(_ problem: Problem) {
    let retryAt = problem.retryAt
    switch problem.code {
    case .notAuthorised: self = .permanent(.needsLogin)
    case .configuration: self = .permanent(.configuration)
    case .closed: self = .permanent(.closed)
    case .locked: self = .permanent(.locked)
    case .rateLimited: self = retryAt.map { .limited(until: $0) } ?? .transient(until: nil)
    case .paused: self = .paused(until: retryAt)
    case .budget: self = retryAt.map { .budget(until: $0) } ?? .paused(until: nil)
    // A keyring may be unlocked later, and disk space may be freed. Trying again until then wastes no requests.
    case .network, .provider, .storage, .secretUnavailable: self = .transient(until: retryAt)
    }
  }
}
