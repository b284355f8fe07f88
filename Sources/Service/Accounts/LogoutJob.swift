internal import CivilTime
internal import HomelineOAuth
internal import Providers
internal import Settings
internal import Store
internal import Timeline
internal import Transport

/// What came of a logout. The token is deleted here in any case.
package enum LogoutReport: Sendable {
  /// The provider says that the token is dead.
  case revoked
  /// The provider has no way to revoke a token from here.
  case deletedOnly
  /// The provider was asked and did not do it; its words, or why it was not reached.
  case notRevoked(String)
  /// There was no token.
  case wasNotAuthorised
}

/// Ends an account's authorisation: at the provider where it can, here in any case. The posts stay.
enum LogoutJob {
  /// Puts it in the lane's queue of jobs. To be called on the lane's queue.
  static func enqueue(on lane: AccountLane, completion: @escaping (Result<LogoutReport, Failure>) -> Void) {
    lane.enqueue { done in
      run(on: lane) { result in
        completion(result)
        done()
      }
    }
  }

  private static func run(on lane: AccountLane, completion: @escaping (Result<LogoutReport, Failure>) -> Void) {
    let token: StoredToken
    do throws(TokenStoreError) {
      guard let stored = try lane.tokens.load(at: lane.clock.now) else {
        return completion(.success(.wasNotAuthorised))
      }
      token = stored
    } catch {
      return completion(.failure(Failure(error)))
    }
    guard let request = lane.provider.revocationRequest() else {
      return completion(forget(on: lane, .deletedOnly))
    }
    let client: ClientCredentials
    do throws(Failure) { client = try lane.keys.get() } catch {
      return completion(forget(on: lane, .notRevoked(error.message)))
    }
    let signer = Signer(
      client: client, token: .token(token.credentials), method: lane.settings.signatureMethod)
    lane.caller.call({ try ClientRequest(request, signedBy: signer, stamp: $0) }) { result in
      completion(forget(on: lane, report(result, lane.provider)))
    }
  }

  private static func report(_ result: Result<ProviderAnswer, Failure>, _ provider: any Provider) -> LogoutReport {
    switch result {
    case .failure(let failure): return .notRevoked(failure.message)
    case .success(let answer):
      switch provider.judge(answer) {
      // A token that the provider no longer knows is as dead as one that it revokes now.
      case nil, .needsLogin: return .revoked
      case .some(let verdict): return .notRevoked(verdict.words)
      }
    }
  }

  private static func forget(on lane: AccountLane, _ report: LogoutReport) -> Result<LogoutReport, Failure> {
    do {
      try lane.tokens.remove(at: lane.clock.now)
      let now = lane.clock.now
      try lane.database.update { state in
        state.problem = Problem(
          code: .notAuthorised, message: "logged out. To go on, run: homeline login \(lane.settings.name)")
        state.staleSince = state.staleSince ?? now
        state.nextRefreshAt = nil
      }
      try lane.publisher.publish(from: lane.database)
      return .success(report)
    } catch let error as TokenStoreError {
      return .failure(Failure(error))
    } catch {
      return .failure(Failure(.inputOutput, "\(error)"))
    }
  }
}
