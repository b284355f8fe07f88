package import Accounts
package import ControlProtocol
package import Settings

/// The program's functions that the control server calls, on queues where waiting is allowed. `owner` and `standing` do not wait for any
/// account's work.
package struct ControlDelegate: Sendable {
  /// Rereads the configuration and applies it. `notice` receives messages for the user; `done` is called once, from any queue.
  package typealias Reload =
    @Sendable (
      _ notice: @escaping @Sendable (String) -> Void, _ done: @escaping @Sendable (Result<Void, OperationError>) -> Void
    ) -> Void

  /// Opens or closes the web page, or makes its browsers enter again.
  package typealias WebPage = @Sendable (WebPageRequest.Action) throws(OperationError) -> WebPageEvent

  /// Describes the state owner.
  let owner: @Sendable () -> ControlStatus.Owner
  /// Returns the states of these accounts, in the same order.
  let standing: @Sendable ([AccountSettings]) -> [ControlStatus.Account]
  /// Reloads the configuration; nil for a process that exits when its own command has finished.
  let reload: Reload?
  /// Nil for a process that does not serve the web page.
  let webPage: WebPage?

  package init(
    owner: @escaping @Sendable () -> ControlStatus.Owner,
    standing: @escaping @Sendable ([AccountSettings]) -> [ControlStatus.Account], reload: Reload? = nil,
    webPage: WebPage? = nil
  ) {
    self.owner = owner
    self.standing = standing
    self.reload = reload
    self.webPage = webPage
  }

  /// Returns the status of the state owner and of these accounts.
  package func status(of accounts: [AccountSettings]) -> ControlStatus {
    ControlStatus(owner: owner(), accounts: standing(accounts))
  }
}
