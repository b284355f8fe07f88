package import Posting
package import Timeline

/// An account's outbox: it stores posts before they are sent, sends them in order, and finds out whether they were published. Belongs to
/// the account's queue.
package protocol PostSender: AnyObject {
  /// All posts in the outbox, in the order they were written.
  func intents() throws(OperationError) -> [PostIntent]

  /// Checks a post without sending it. This may request the server's rules.
  /// - Parameters:
  ///   - files: the files to attach; they are opened, and examined if the server's rules allow them.
  ///   - completion: called once, on the queue.
  func check(
    _ draft: PostDraft, attaching files: [AttachedFile],
    completion: @escaping (Result<CheckedPost, OperationError>) -> Void)

  /// Stores a post and sends it as soon as possible. If the server's rules are available now, a post that violates them is not stored.
  /// - Parameters:
  ///   - files: the files to attach; they are opened, and examined if the server's rules allow them.
  ///   - id: the id that the post gets; nil for a random one. If the outbox contains a post with this id, the same post was sent twice, and
  ///     the waiter learns about the first one.
  ///   - waiter: learns about the post until the outcome is known, or until the post has to wait for too long; or receives the reason the
  ///     post was not stored.
  func add(_ draft: PostDraft, attaching files: [AttachedFile], as id: IntentID?, waiter: PostWaiter)

  /// Sends a post again if it was refused, its outcome is unknown, or it is still waiting.
  /// - Parameters:
  ///   - isConfirmed: whether the user has agreed to the cost. Otherwise, a post that costs more than `confirm_above_usd` is not sent.
  ///   - waiter: used as with `add`.
  func retry(_ id: IntentID, isConfirmed: Bool, waiter: PostWaiter)

  /// Removes a post from the outbox. The post will not be sent.
  func discard(_ id: IntentID) throws(OperationError) -> PostIntent

  /// Performs an action on a published post.
  /// - Parameter completion: called once, on the queue.
  func perform(
    _ action: PostAction, on id: String, completion: @escaping (Result<PostActionOutcome, OperationError>) -> Void)

  /// Continues with the posts that an earlier process left.
  func resume()

  /// Recognises the account's posts on a page of the timeline that was just stored. Called within a job.
  func received(_ page: Page)

  /// The provider has answered another request as expected, so posts that wait for the network or the server are sent immediately.
  func requestSucceeded()

  /// The user has logged in, and the token is stored. Posts that waited for this are sent.
  func loggedIn()

  /// Ends the outbox's work, because the account's files are being closed.
  func close()

  /// Calls back on the queue once no post can be sent before a later time.
  func whenResting(_ body: @escaping () -> Void)
}
