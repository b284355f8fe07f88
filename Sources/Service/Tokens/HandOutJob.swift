internal import CivilTime
internal import HomelineOAuth
internal import Providers
internal import Store
internal import Timeline

/// Hands an account's access token out, renewed before if it is time: for programs that ask the provider themselves.
enum HandOutJob {
  /// Asks for a turn, so that nobody renews the token beside it. To be called on the lane's queue.
  /// - Parameter completion: called once, on that queue.
  static func enqueue(of account: Account, completion: @escaping (Result<BearerToken, Failure>) -> Void) {
    account.lane.enqueue(.userRefresh) {
      completion(.failure(ending))
    } _: { turn in
      run(of: account) { result in
        turn.end()
        completion(result)
      }
    }
  }

  private static func run(of account: Account, completion: @escaping (Result<BearerToken, Failure>) -> Void) {
    let token: StoredToken
    do throws(TokenStoreError) {
      guard let stored = try account.loadToken() else {
        return completion(.failure(notAuthorised("not authorised yet.", account)))
      }
      token = stored
    } catch { return completion(.failure(Failure(error))) }
    account.authority(of: token, isAwaited: true) { result in
      switch result {
      case .success(let (_, current)):
        // What stood between the account and its token before does so no more. The trouble of a timeline is the timeline's.
        if !account.isClosed, !account.provider.traits.hasTimeline, account.knownState.problem != nil {
          account.noteToken(nil)
        }
        completion(
          current.grant.bearer.map { .success($0) }
            ?? .failure(notAuthorised("the token is one of OAuth 1.0a.", account)))
      case .failure(.failure(let failure)): completion(.failure(failure))
      case .failure(.problem(let problem)):
        let problem = problem.withLoginHint(for: account.name)
        guard !account.isClosed else { return completion(.failure(ending)) }
        // The provider's last word is known to the status and the file's readers too.
        account.noteToken(problem)
        completion(.failure(Failure(problem)))
      }
    }
  }

  private static func notAuthorised(_ words: String, _ account: Account) -> Failure {
    Failure(.notAuthorised, "\(words) Run: homeline login \(account.name)")
  }

  private static var ending: Failure { Failure(.tryAgain(at: nil), "the program ends; ask again") }
}
