internal import Accounts
internal import Bytes
internal import HTTPClient
internal import HomelineOAuth
internal import Providers
internal import Scheduling
internal import Settings
internal import Storage
internal import Timeline

/// A login with a user name and a password (RFC 6749 §4.3), for providers that offer no other grant. The password is not stored. The user
/// name is stored only to identify the token's user.
final class PasswordLogin: LoginStrategy {
  let start: LoginStart
  private let server: AuthorizationServer
  private var asked: (endpoints: OAuth2Endpoints, client: OAuth2Client)?
  private var userName: String?

  /// - Throws: an error if the client's keys are not available.
  init(of account: Account, _ server: AuthorizationServer) throws(OperationError) {
    start = try LoginStart(of: account)
    self.server = server
  }

  func prepare(callback: RequestURL?, completion: @escaping Completion) {
    server.discover { result in
      do throws(OperationError) {
        let endpoints = try result.get()
        // No browser is redirected to this machine. The redirect address only identifies the client's registration, if the client registers
        // itself.
        self.server.client(forRedirect: OAuth2Login.outOfBand, at: endpoints) { result in
          do throws(OperationError) {
            self.asked = (endpoints, try result.get().client)
            completion(.issued(LoginIssue(key: nil, invitation: .password)))
          } catch { completion(.failed(error)) }
        }
      } catch { completion(.failed(error)) }
    }
  }

  /// Reads a line: the user name first, then the password.
  func paste(_ line: String) -> LoginPaste {
    guard userName != nil else {
      if line.isEmpty { return .notUnderstood }
      userName = line
      return .partial
    }
    return line.isEmpty ? .notUnderstood : .password(Secret(line))
  }

  func exchange(_ password: Secret, completion: @escaping Completion) {
    guard let asked, let userName else {
      return completion(.failed(OperationError(.bug, "the password was not requested")))
    }
    secrets.note(password)
    do throws(OperationError) {
      let proof = try proof(password, of: userName)
      secrets.note(proof)
      let request = AccessTokenRequest(
        endpoint: asked.endpoints.token, client: asked.client, grant: .password(userName: userName, proof))
      let completed = try server.completed(request.request, of: asked.client)
      server.send(completed, with: proof) { result in
        switch result {
        case .failure(let failure): completion(.failed(failure))
        case .success(let response): completion(self.exchanged(response, asked.client, userName))
        }
      }
    } catch { completion(.failed(error)) }
  }

  private func proof(_ password: Secret, of userName: String) throws(OperationError) -> Secret {
    do throws(ProviderFailure) { return try dependencies.provider.passwordProof(password, of: userName) } catch {
      throw OperationError(.bug, "\(error)")
    }
  }

  private func exchanged(_ response: ProviderResponse, _ client: OAuth2Client, _ userName: String) -> LoginFlow.Event {
    do throws(OAuth2ResponseError) {
      let tokenResponse = try AccessTokenResponse(response.oauth)
      var generator = RandomSource()
      let token = BearerToken(tokenResponse, in: response, clientID: client.identifier, using: &generator)
      secrets.note(.oauth2(token))
      return .exchanged(.oauth2(token), named: namedUser)
    } catch {
      let failure = dependencies.provider.classifyToken(error, in: response)
      return .failed(OperationError(failure, error, "the password was not exchanged for a token"))
    }
  }

  var namedUser: User? { userName.map { User(id: $0, screenName: $0, name: $0) } }

  package func authority(of grant: TokenGrant) throws(OperationError) -> RequestAuthority {
    guard case .oauth2(let token) = grant else {
      throw OperationError(.bug, "an OAuth 1.0a token can only be used for signing")
    }
    return .bearer(token.accessToken, server.profile.tokenPlacement)
  }
}
