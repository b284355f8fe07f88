internal import Accounts
internal import Bytes
package import Dispatch
internal import Folders
internal import Formats
internal import Platform
internal import Posting
internal import Providers
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Users' requests about their own posts. Each completion is called once, on the account's queue.
extension AccountManager {
  func checkPost(
    _ draft: PostDraft, attaching files: [AttachedFile], of account: AccountSettings,
    completion: @escaping @Sendable (Result<CheckedPost, OperationError>) -> Void
  ) throws(OperationError) {
    try sender(of: account) { $0.check(draft, attaching: files) { completion($0) } }
  }

  /// Stores a post in the outbox and sends it.
  /// - Parameter id: the id that it gets in the outbox; nil for a random one.
  /// - Returns: the function to call, on any queue, if the user no longer waits.
  func post(
    _ draft: PostDraft, attaching files: [AttachedFile], as id: IntentID? = nil, to account: AccountSettings,
    waiter: PostWaiter
  ) throws(OperationError) -> @Sendable () -> Void {
    try sender(of: account, waiter) { $0.add(draft, attaching: files, as: id, waiter: waiter) }
  }

  /// Sends a post of the outbox again.
  /// - Returns: as with `post`.
  func retryPost(
    _ id: IntentID, isConfirmed: Bool, of account: AccountSettings, waiter: PostWaiter
  ) throws(OperationError) -> @Sendable () -> Void {
    try sender(of: account, waiter) { $0.retry(id, isConfirmed: isConfirmed, waiter: waiter) }
  }

  /// Calls back once no post of the open accounts can be sent before a later time. Waits for the account manager's queue.
  package func whenPostsRest(on queue: DispatchQueue, _ completion: @escaping @Sendable () -> Void) {
    let all = DispatchGroup()
    for account in openAccounts {
      all.enter()
      account.queue.async { account.outbox.whenResting { all.leave() } }
    }
    all.notify(queue: queue, execute: completion)
  }

  func discardPost(_ id: IntentID, of account: AccountSettings) throws(OperationError) -> PostIntent {
    try waiting(for: account) { (sender) throws(OperationError) in try sender.discard(id) }
  }

  /// Performs an action on a published post.
  func perform(
    _ action: PostAction, on id: String, as account: AccountSettings,
    completion: @escaping @Sendable (Result<PostActionOutcome, OperationError>) -> Void
  ) throws(OperationError) {
    try sender(of: account) { $0.perform(action, on: id) { completion($0) } }
  }

  /// The uploads in progress. Can be read on any thread.
  var uploads: [AccountName: UploadProgress] { factory.uploads.withLock { $0 } }

  /// Returns the locations of the records in these accounts' outboxes that cannot be read.
  func damagedRecords(of accounts: [AccountSettings]) throws(OperationError) -> [String] {
    var all: [String] = []
    for account in accounts {
      do throws(StorageError) { all += try storage.outbox(of: account.name).damaged() } catch {
        throw OperationError(error)
      }
    }
    return all
  }

  /// Returns the posts in these accounts' outboxes.
  func outboxes(
    of accounts: [AccountSettings]
  ) throws(OperationError) -> [(account: AccountSettings, intents: [PostIntent])] {
    var all: [(account: AccountSettings, intents: [PostIntent])] = []
    for account in accounts { all.append((account, try intents(of: account))) }
    return all
  }

  /// Returns the posts in an account's outbox. An account that is not enabled, or that cannot be opened, stays closed.
  private func intents(of account: AccountSettings) throws(OperationError) -> [PostIntent] {
    var failure: OperationError?
    if account.isEnabled {
      do throws(OperationError) {
        return try waiting(for: account) { (sender) throws(OperationError) in try sender.intents() }
      } catch { failure = error }
    }
    var result: Result<[PostIntent], StorageError>?
    let open = accountInUse(account.name) {
      result = Result { () throws(StorageError) in try storage.outbox(of: account.name).load(at: clock.now).intents }
    }
    if open != nil {
      if let failure { throw failure }
      return try waiting(for: account) { (sender) throws(OperationError) in try sender.intents() }
    }
    do throws(StorageError) { return try result?.get() ?? [] } catch { throw failure ?? OperationError(error) }
  }

  /// Finds the post that a user wants to reply to.
  /// - Parameter text: an id, the URL of a published post, or the id of a post in the outbox.
  func replyTarget(_ text: String, in account: AccountSettings) throws(OperationError) -> ReplyTarget {
    if let id = IntentID(text) { return .intent(id) }
    guard text.contains("://") else { return .post(text) }
    let posts = (try? File.read(files(of: account).timeline, limit: Self.longestTimeline)).flatMap { bytes in
      try? TimelineFile.read(bytes).posts.filter { $0.url == text }
    }
    // A repost has the original's URL, but its own id.
    if let original = posts?.first(where: { $0.repostedBy == nil }) { return .post(original.id.text) }
    let opened = try self.account(account)
    let provider = opened.queue.sync { opened.provider }
    if let url = try? RequestURL(text), url.text.hasPrefix(provider.server + "/"),
      let id = url.path.split(separator: "/").last
    {
      return .post(String(id))
    }
    if let repost = posts?.first { return .post(repost.id.text) }
    throw OperationError(
      .badContent,
      "\(text) is not in the published timeline; use the post's id, which homeline show --ids prints"
    )
  }

  /// The maximum size of the published file in bytes.
  private static let longestTimeline = 1 << 28

  /// Calls the body with the account's sender, asynchronously on the account's queue.
  private func sender(
    of account: AccountSettings, _ body: @escaping @Sendable (any PostSender) -> Void
  ) throws(OperationError) {
    let account = try self.account(account)
    account.queue.async { body(account.outbox) }
  }

  /// Calls the body with the account's sender, for a user who waits. Once it is certain that the body will be called, this does not fail:
  /// the user would try again, and the post would be sent twice.
  /// - Returns: the function to call, on any queue, if the user no longer waits.
  private func sender(
    of account: AccountSettings, _ waiter: PostWaiter, _ body: @escaping @Sendable (any PostSender) -> Void
  ) throws(OperationError) -> @Sendable () -> Void {
    let account = try self.account(account)
    account.queue.async { body(account.outbox) }
    return { account.queue.async { waiter.leave() } }
  }

  private func waiting<Value: Sendable>(
    for account: AccountSettings, _ body: @Sendable (any PostSender) throws(OperationError) -> Value
  ) throws(OperationError) -> Value {
    let account = try self.account(account)
    let outcome = account.queue.sync { Result { () throws(OperationError) in try body(account.outbox) } }
    return try outcome.get()
  }
}
