package import Accounts
internal import Platform
package import Settings
package import Storage

/// Knows which user each account belongs to, so that the login of a new account notices if its user already has an account.
package final class AccountUsers: Sendable {
  private let storage: any StorageProvider
  private let accounts: @Sendable () -> [AccountSettings]
  private let openAccount: @Sendable (AccountSettings, @escaping Completion) -> Void
  /// The users whose tokens are being stored. Two logins by the same user must not both store a token in a new account.
  private let claims = Locked<[AccountName: AccountIdentity]>([:])

  /// Receives an open account, on that account's queue.
  package typealias Completion = @Sendable (Result<Account, OperationError>) -> Void

  /// - Parameters:
  ///   - accounts: returns the accounts in the configuration.
  ///   - open: opens an account without waiting for its queue.
  package init(
    _ storage: any StorageProvider, accounts: @escaping @Sendable () -> [AccountSettings],
    open: @escaping @Sendable (AccountSettings, @escaping Completion) -> Void
  ) {
    self.storage = storage
    self.accounts = accounts
    openAccount = open
  }

  /// Returns another account that belongs to the user. If there is none, or the login does not yield to it, the user now belongs to the
  /// login's account, and `release(_:)` must be called once its token is stored.
  /// - Parameter yields: whether the login leaves the user to the other account.
  func claim(_ identity: AccountIdentity, for account: AccountSettings, yields: Bool) -> AccountSettings? {
    let others = accounts().filter { $0.name != account.name && $0.isComparable(with: account) }
    return claims.withLock { claims in
      let holder = others.first { other in
        (claims[other.name] ?? storage.identity(of: other.name))?.isSameUser(as: identity) == true
      }
      if holder == nil || !yields { claims[account.name] = identity }
      return holder
    }
  }

  /// Ends the claim of a login that has stored its token, or has failed to.
  func release(_ account: AccountName) { claims.withLock { $0[account] = nil } }

  func open(_ account: AccountSettings, _ completion: @escaping Completion) { openAccount(account, completion) }
}

extension AccountSettings {
  /// Whether two accounts of one user count as the same account. Accounts without a timeline only issue tokens, which are different for
  /// each application.
  fileprivate func isComparable(with other: AccountSettings) -> Bool {
    hasTimeline() && other.hasTimeline() || credentials.isSameClient(as: other.credentials)
  }
}

extension AccountCredentials {
  /// Whether one account's tokens are valid with the other's keys.
  func isSameClient(as other: AccountCredentials) -> Bool {
    switch (self, other) {
    case (.builtIn, .builtIn), (.selfRegistered, .selfRegistered): true
    case (.oauth1(let key, _), .oauth1(let otherKey, _)): key == otherKey
    case (.oauth2(let id, _), .oauth2(let otherID, _)): id == otherID
    default: false
    }
  }
}
