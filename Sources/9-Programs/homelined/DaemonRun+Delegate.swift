internal import Accounts
internal import Commands
internal import ControlProtocol
internal import Dispatch
internal import Folders
internal import Platform
internal import Service
internal import Settings
internal import Time
internal import Timeline

extension DaemonRun {
  /// Returns the delegate of the service's control server.
  func delegate(_ owner: Owner, _ accountManager: AccountManager) -> ControlDelegate {
    let startedAt = WallClock.system.now
    let path = file.identity
    return ControlDelegate(
      owner: { [configurationProblem] in
        ControlStatus.Owner(
          processID: owner.processID, command: owner.command, version: Version.number, startedAt: startedAt,
          configuration: path, configurationProblem: configurationProblem.withLock { $0 })
      },
      standing: { accounts in
        let standings = accountManager.scheduler.snapshots(of: accounts.map(\.name))
        return accounts.map { account in
          let standing = standings[account.name]
          let timelines = DaemonRun.timelines(of: account, standing)
          let due = timelines.isEmpty ? standing?.due : timelines[0].nextRefreshAt
          var status = ControlStatus.Account(
            account: account.name.text, activity: standing?.work == nil ? .idle : .refreshing, nextRefreshAt: due,
            waitsFor: due != nil ? nil : account.isEnabled ? standing?.trouble : "it is not enabled",
            notStored: standing?.notStored, freshness: standing?.refreshes.map { ControlStatus.Freshness($0) })
          status.timelines = timelines
          return status
        }
      },
      reload: { [weak self] notice, done in
        DispatchQueue.main.async {
          guard let self else { return }
          self.reload { result in
            switch result {
            case .success:
              notice("reloaded \(path)")
              done(.success(()))
            case .failure(let failure): done(.failure(OperationError(.configuration, failure.message)))
            }
          }
        }
      },
      webPage: { [web] (action) throws(OperationError) in
        guard let web = web.withLock({ $0 }) else {
          throw OperationError(.tryAgain(at: nil), "the service is still starting; try again")
        }
        return try web.carryOut(action)
      })
  }

  /// Returns the timelines of an account, its home timeline first; none if that is the only one.
  private static func timelines(
    of account: AccountSettings, _ standing: AccountSnapshot?
  ) -> [ControlStatus.Timeline] {
    let names = account.timelines
    guard names.count > 1 else { return [] }
    return names.map { name in
      let timeline = standing?.timelines[name]
      return ControlStatus.Timeline(
        name: name.description, unread: timeline?.unread, nextRefreshAt: timeline?.due,
        freshness: timeline?.refreshes.map { ControlStatus.Freshness($0) })
    }
  }
}

extension ControlStatus.Freshness {
  fileprivate init(_ state: RefreshState) {
    self.init(
      refreshedAt: state.refreshedAt, freshUntil: state.freshUntil, staleSince: state.staleSince,
      error: state.problem.map {
        ControlStatus.Problem(code: $0.code.rawValue, message: $0.message, retryAt: $0.retryAt)
      },
      limit: state.limit.map { ControlStatus.Limit(limit: $0.limit, remaining: $0.remaining, resetAt: $0.reset) })
  }
}
