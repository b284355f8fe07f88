internal import Accounts
internal import HTTPClient
internal import Providers
internal import Storage
internal import Timeline

/// Asks a provider to revoke a token. Call on the account's queue.
enum TokenRevocation {
  /// Uses the provider's own method if it has one, and RFC 7009 otherwise.
  static func revoke(
    _ token: StoredToken, of account: Account, completion: @escaping (LogoutReport) -> Void
  ) {
    if let problem = account.authority.objection(to: token) {
      completion(.notRevoked(problem.message))
    } else if let request = account.provider.revocationRequest() {
      switch account.authority.withoutRenewal(of: token) {
      case .failure(let refusal): completion(.notRevoked(refusal.message))
      case .success(let (authority, _)):
        account.authority.providerClient.call(
          with: authority.secrets, { try authority.authorised(request, nonceTimestamp: $0) }
        ) {
          result in
          completion(report(result, account.provider))
        }
      }
    } else if let server = account.authority.authorizationServer, let bearer = token.grant.bearer {
      server.revoke(bearer, completion: completion)
    } else {
      completion(.deletedOnly)
    }
  }

  private static func report(_ result: Result<ProviderResponse, OperationError>, _ provider: any Provider)
    -> LogoutReport
  {
    switch result {
    case .failure(let failure): .notRevoked(failure.message)
    case .success(let response):
      provider.objection(toRevocation: response, needsContent: true).map { .notRevoked($0) } ?? .revoked
    }
  }
}
