package import Accounts
internal import Dispatch
package import Settings

/// Users' requests about what servers offer.
extension AccountManager {
  /// Asks an account's server which timelines it offers. The completion is called once, on the account's queue.
  package func timelines(
    offeredTo account: AccountSettings,
    completion: @escaping @Sendable (Result<[TimelineOffer], OperationError>) -> Void
  ) throws(OperationError) {
    let account = try self.account(account)
    account.queue.async { OffersJob.enqueue(of: account, completion: completion) }
  }
}
