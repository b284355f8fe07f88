internal import Scheduling
package import Timeline

extension RefreshOutcome {
  /// What a problem means for the schedule.
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
    // A keyring may be unlocked and a disk have room again; nobody is asked in vain meanwhile.
    case .network, .provider, .storage, .secretUnavailable: self = .transient(until: retryAt)
    }
  }

  /// What a request that met no provider, or could not be made, means for the schedule.
  package init(_ failure: Failure) {
    switch failure.kind {
    case .unavailable, .inputOutput, .cannotCreate: self = .transient(until: nil)
    case .tryAgain(let moment): self = moment.map { .limited(until: $0) } ?? .transient(until: nil)
    case .notAuthorised: self = .permanent(.needsLogin)
    case .configuration, .badContent, .bug: self = .permanent(.configuration)
    }
  }
}
