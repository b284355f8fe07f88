package import Accounts
package import Control
package import Settings

/// The program's functions that the control server calls. They are called on queues where waiting is allowed; `owner` and
/// `standing` do not wait for any account's work.
package struct ControlDelegate: Sendable {
  /// Reads the configuration again and applies it. `notice` receives messages for the user; `done` is called once, from any queue.
  package typealias Reload =
    @Sendable (
      _ notice: @escaping @Sendable (String) -> Void, _ done: @escaping @Sendable (Result<Void, OperationError>) -> Void
    ) -> Void

  /// The description of the process that owns the state.
  let owner: @Sendable () -> ControlStatus.Owner
  /// The states of these accounts, in the same order.
  let standing: @Sendable ([AccountSettings]) -> [ControlStatus.Account]
  /// Reloads the configuration; nil for a process that exits with its own command.
  let reload: Reload?

  package init(
    owner: @escaping @Sendable () -> ControlStatus.Owner,
    standing: @escaping @Sendable ([AccountSettings]) -> [ControlStatus.Account], reload: Reload? = nil
  ) {
    self.owner = owner
    self.standing = standing
    self.reload = reload
  }

  /// Returns the status of the process that owns the state and of these accounts.
  package func status(of accounts: [AccountSettings]) -> ControlStatus {
    ControlStatus(owner: owner(), accounts: standing(accounts))
  }
}
