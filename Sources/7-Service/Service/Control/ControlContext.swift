package import ControlProtocol
internal import Dispatch
internal import HTTP
internal import Platform
package import Settings

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
      if case .unknown = error { throw ControlError(.notFound, "\(error)") }
      throw ControlError(.badRequest, "\(error)")
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
  package func accounts(_ names: [String]) throws(ControlError) -> [AccountSettings] {
    let enabled = names.isEmpty ? accountManager.configuration.enabledAccounts : []
    // If no account is enabled, the error lists the accounts.
    if names.isEmpty { return enabled.isEmpty ? [try account(nil)] : enabled }
    var chosen: [AccountSettings] = []
    for name in names {
      let account = try account(name)
      if !chosen.contains(where: { $0.name == account.name }) { chosen.append(account) }
    }
    return chosen
  }
}
