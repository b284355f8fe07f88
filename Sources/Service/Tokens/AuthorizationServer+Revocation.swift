internal import HomelineOAuth
internal import Providers
internal import Store

extension OAuth2FormRequest {
  /// The same with an access token in its header (RFC 6750 §2.1).
  fileprivate func authorised(by token: Secret) -> OAuth2FormRequest {
    OAuth2FormRequest(
      url: url, form: form, authorization: token.withExposedText { Secret("Bearer \($0)") })
  }
}

extension AuthorizationServer {
  /// Has the server forget a token (RFC 7009), and with a refresh token all that came of it (§2.1).
  func revoke(_ token: BearerToken, completion: @escaping (LogoutReport) -> Void) {
    endpoints { result in
      do throws(Failure) {
        let endpoints = try result.get()
        guard let address = endpoints.revocation else { return completion(.deletedOnly) }
        let client = try self.client(id: token.clientID, at: endpoints)
        let request = RevocationRequest(
          endpoint: address, client: client, token: token.refreshToken ?? token.accessToken,
          hint: token.refreshToken == nil ? "access_token" : "refresh_token")
        self.send(request.request, with: token.refreshToken ?? token.accessToken) { result in
          // Some want to see the access token of a client that has no secret to show (glewlwyd).
          guard client.authentication == .none, case .success(let answer) = result, answer.status == 401 else {
            return completion(Self.report(result))
          }
          self.send(request.request.authorised(by: token.accessToken), with: token.accessToken) {
            completion(Self.report($0))
          }
        }
      } catch { completion(.notRevoked(error.message)) }
    }
  }

  /// Any success means that the token is dead, also one that the server never knew (§2.2).
  private static func report(_ result: Result<ProviderAnswer, Failure>) -> LogoutReport {
    switch result {
    case .failure(let failure): return .notRevoked(failure.message)
    case .success(let answer) where (200..<300).contains(answer.status): return .revoked
    case .success(let answer):
      do throws(OAuth2AnswerError) { _ = try AccessTokenResponse(Answer(answer)) } catch {
        if case .refused(let refusal) = error { return .notRevoked(refusal.words) }
      }
      return .notRevoked("the server answered with status \(answer.status)")
    }
  }
}
