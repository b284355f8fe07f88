internal import HTTPClient
internal import HomelineOAuth
internal import Providers
internal import Storage
internal import Time
internal import Timeline

/// A web page with status 401 that arrives for a whole day in place of the timeline.
///
/// The page proves nothing about the token, so homeline continues to ask. If the server's public description still arrives, the server has
/// probably stopped accepting the token, and its front end responds with the page. The user is then advised to log in.
enum LastingRefusal {
  private static let length = Duration.seconds(86_400)

  /// Adds the advice to a problem if it applies. Call within a job on the account's queue.
  /// - Parameter completion: called once, on the queue.
  static func explain(
    _ problem: Problem, in response: ProviderResponse, of timeline: AccountTimeline, in account: Account,
    _ context: JobContext,
    completion: @escaping (Problem) -> Void
  ) {
    let state = timeline.state
    guard response.status == 401, case .between(.webPage) = account.provider.origin(of: response),
      let since = state.staleSince, account.clock.now - since >= length,
      state.problem?.message.hasPrefix(problem.message) == true,
      let provider = account.provider as? any PostingProvider
    else { return completion(problem) }
    ask(provider.descriptionRequests()[...], of: account, context) { isAnswered in
      guard isAnswered else { return completion(problem) }
      completion(
        Problem(
          code: problem.code,
          message: problem.message
            + " This has lasted a day, while the server's public address responds. The login may have "
            + "ended; to log in again, run: homeline login \(account.name)",
          retryAt: problem.retryAt))
    }
  }

  /// Requests the server's public description.
  private static func ask(
    _ requests: ArraySlice<ClientRequest>, of account: Account, _ context: JobContext,
    completion: @escaping (Bool) -> Void
  ) {
    guard let request = requests.first else { return completion(false) }
    let client = account.authority.providerClient
    context.onCancel { client.cancel() }
    client.send(request) { result in
      guard case .success(let response) = result else { return completion(false) }
      if response.status == 200, account.provider.origin(of: response) == .api, !response.body.isEmpty {
        return completion(true)
      }
      ask(requests.dropFirst(), of: account, context, completion: completion)
    }
  }
}
