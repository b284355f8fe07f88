internal import Accounts
internal import CivilTime
internal import Posting
internal import Providers
internal import Settings
internal import Storage
internal import Timeline

/// Performs an action on a published post, in a job on the account's queue.
enum PostActionJob {
  /// Adds the job to the account's queue.
  /// - Parameter completion: called once, on the queue.
  static func enqueue(
    _ action: PostAction, on id: String, of account: Account, _ provider: any PostingProvider, _ token: StoredToken,
    completion: @escaping (Result<Void, OperationError>) -> Void
  ) {
    guard let request = provider.actionRequest(action, on: id, by: token.identity.user.id) else {
      let isSupported = provider.actionRequest(action, on: "1", by: token.identity.user.id) != nil
      return completion(
        .failure(
          isSupported
            ? OperationError(.badContent, "\(DisplayText.quoted(id)) is not the id of a post")
            : OperationError(.configuration, "the provider \(provider.name) has no \(action.kind.rawValue)")))
    }
    account.accountQueue.enqueue(.userRefresh) {
      completion(.failure(OperationError(.tryAgain(at: nil), "the program is shutting down; try again")))
    } _: { context in
      let attempt = PostAttempt(of: account, provider, token, context)
      attempt.perform(request, costing: account.cost(of: action)) { result in
        let outcome = result.flatMap { response -> Result<Void, OperationError> in
          guard (200..<300).contains(response.status), provider.classify(response) == nil else {
            return .failure(failure(of: response, on: id, provider))
          }
          guard provider.confirms(action, in: response) else {
            return .failure(OperationError(.unavailable, "the server did not confirm that the action took effect"))
          }
          account.applied(action, on: id, as: provider.actionEntry(action, from: response))
          return .success(())
        }
        context.end()
        completion(outcome)
      }
    }
  }

  private static func failure(
    of response: ProviderResponse, on id: String, _ provider: any PostingProvider
  ) -> OperationError {
    let isOwn =
      switch provider.origin(of: response) {
      case .api: response.status == 404
      case .habit(let habit): habit.meaning == .noSuchPost
      case .between: false
      }
    if isOwn {
      return OperationError(.badContent, "the server has no post \(id), or does not support this action")
    }
    guard let failure = provider.classify(response) else {
      return OperationError(.unavailable, "the server responded with status \(response.status)")
    }
    return OperationError(ProviderError.refused(failure).problem)
  }
}

extension Account {
  /// Updates the stored timeline after an action.
  /// - Parameter entry: the user's repost.
  fileprivate func applied(_ action: PostAction, on id: String, as entry: Page.Entry?) {
    switch (action.kind, action.isUndone) {
    case (.delete, _): removeOwnPost(PostID(id))
    case (.repost, false): if let entry { storeOwnPost(entry) }
    default: break
    }
  }
}
