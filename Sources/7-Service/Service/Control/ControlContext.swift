package import ControlProtocol
internal import Dispatch
internal import HTTP
internal import Platform
package import Settings
package import Timeline

/// Provides the accounts and the running jobs to the handlers of control requests.
package final class ControlContext: Sendable {
  package let accountManager: AccountManager
  let delegate: ControlDelegate
  /// The control server's queue.
  let queue: DispatchQueue
  let activities = Locked(ControlActivities())
  /// The running logins, by the name given in their `BegunEvent`.
  let logins: ControlLogins

  init(accountManager: AccountManager, _ delegate: ControlDelegate, on queue: DispatchQueue) {
    self.accountManager = accountManager
    self.delegate = delegate
    self.queue = queue
    logins = ControlLogins(on: queue)
  }

  /// Returns the named account or, without a name, the only enabled one.
  /// - Parameter isForPosting: whether only accounts that can have posts are considered.
  package func account(_ name: String?, isForPosting: Bool = false) throws(ControlError) -> AccountSettings {
    do throws(AccountChoiceError) {
      return try accountManager.configuration.account(named: name, isForPosting: isForPosting)
    } catch {
      throw Self.refusal(of: error)
    }
  }

  private static func refusal(of error: AccountChoiceError) -> ControlError {
    switch error {
    case .unknown, .unknownTimeline: ControlError(.notFound, "\(error)")
    case .isTimeline, .several, .noneEnabled: ControlError(.badRequest, "\(error)")
    }
  }

  /// Returns the account or timeline with a name such as `ACCOUNT/TIMELINE`.
  /// - Returns: the account, and the timeline; `nil` if only the account is named.
  func timeline(_ name: String) throws(ControlError) -> (account: AccountSettings, timeline: TimelineName?) {
    do throws(AccountChoiceError) { return try accountManager.configuration.timeline(named: name) } catch {
      throw Self.refusal(of: error)
    }
  }

  /// Returns the enabled accounts that have a timeline. Accounts without posts are left out if others have posts.
  func timelines() throws(ControlError) -> [AccountSettings] {
    let enabled = accountManager.configuration.timelines
    guard let first = enabled.first else { return [try account(nil)] }
    if enabled.count == 1 { return [first] }
    let stored = enabled.filter { accountManager.hasArchive($0) }
    return stored.isEmpty ? enabled : stored
  }

  /// Returns each named account once, or all enabled accounts if none is named.
  /// - Parameter names: accounts and timelines.
  /// - Returns: the accounts with their named timelines; `nil` for all timelines, because an account alone means all of them.
  package func choices(
    _ names: [String]
  ) throws(ControlError) -> [(account: AccountSettings, timelines: [TimelineName]?)] {
    if names.isEmpty {
      let enabled = accountManager.configuration.enabledAccounts
      // If no account is enabled, the error lists the accounts.
      return (enabled.isEmpty ? [try account(nil)] : enabled).map { ($0, nil) }
    }
    var chosen: [(account: AccountSettings, timelines: [TimelineName]?)] = []
    for name in names {
      let (account, timeline) = try timeline(name)
      guard let index = chosen.firstIndex(where: { $0.account.name == account.name }) else {
        chosen.append((account, timeline.map { [$0] }))
        continue
      }
      if let timeline, let others = chosen[index].timelines {
        if !others.contains(timeline) { chosen[index].timelines = others + [timeline] }
      } else {
        chosen[index].timelines = nil
      }
    }
    return chosen
  }
}
