internal import Accounts
internal import Bytes
internal import HTTPClient
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Scheduling
internal import Settings
internal import Storage

/// A login where the user authorises the application on another device (RFC 8628), while this program polls the server.
final class DeviceLogin: LoginStrategy {
  /// The device code, and the state of polling with it.
  private struct Asked {
    let endpoints: OAuth2Endpoints
    let client: OAuth2Client
    let deviceCode: Secret
    var polling: DevicePolling
    /// The time when the codes expire.
    let end: BootInstant
  }

  let start: LoginStart
  private let server: AuthorizationServer
  private let account: Account
  private var asked: Asked?
  private(set) var idToken: IDToken?
  private var alarm: Alarm?

  /// - Throws: an error if the client's keys are not available.
  init(of account: Account, _ server: AuthorizationServer) throws(OperationError) {
    self.account = account
    start = try LoginStart(of: account)
    self.server = server
  }

  // MARK: The codes

  /// Requests a code for the user to enter on another device (§3.1).
  func prepare(callback: RequestURL?, completion: @escaping Completion) {
    server.discover { result in
      do throws(OperationError) {
        let endpoints = try result.get()
        guard let address = endpoints.deviceAuthorization else { throw Self.noDevices }
        // No browser is redirected to this machine. The redirect address only identifies the client's registration, if the client registers
        // itself.
        self.server.client(forRedirect: OAuth2Login.outOfBand, at: endpoints) { result in
          do throws(OperationError) {
            self.ask(at: address, endpoints, try result.get(), completion)
          } catch { completion(.failed(error)) }
        }
      } catch { completion(.failed(error)) }
    }
  }

  private func ask(
    at address: RequestURL, _ endpoints: OAuth2Endpoints, _ found: LoginClient, _ completion: @escaping Completion
  ) {
    let client = found.client
    let request = DeviceAuthorizationRequest(endpoint: address, client: client, scopes: server.scopes)
    let sentAt = BootInstant.now
    server.send(request.request) { result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let response):
        do throws(OAuth2ResponseError) {
          let tokenResponse = try DeviceAuthorizationResponse(response.oauth)
          self.secrets.note(tokenResponse.deviceCode)
          self.asked = Asked(
            endpoints: endpoints, client: client, deviceCode: tokenResponse.deviceCode,
            polling: DevicePolling(tokenResponse),
            end: sentAt + .seconds(tokenResponse.expiresIn))
          completion(
            .issued(
              LoginIssue(
                key: nil,
                invitation: .code(
                  tokenResponse.userCode, at: tokenResponse.verificationURI,
                  complete: tokenResponse.verificationURIComplete))))
        } catch {
          if let lost = self.server.lostRegistration(client, after: error, in: response) {
            guard found.origin == .stored else {
              return completion(.failed(OperationError(.notAuthorised, lost)))
            }
            return self.askAnew(at: address, endpoints, completion)
          }
          completion(
            .failed(
              OperationError(
                self.dependencies.provider.classifyToken(error, in: response), error,
                "the server did not provide a device code"))
          )
        }
      }
    }
  }

  /// Requests a code again, with a new registration.
  private func askAnew(at address: RequestURL, _ endpoints: OAuth2Endpoints, _ completion: @escaping Completion) {
    server.client(forRedirect: OAuth2Login.outOfBand, at: endpoints) { result in
      do throws(OperationError) { self.ask(at: address, endpoints, try result.get(), completion) } catch {
        completion(.failed(error))
      }
    }
  }

  // MARK: Polling

  /// Calls `question` whenever the server should be polled (§3.5), for the first time after one interval.
  func watch(_ question: @escaping @Sendable () -> Void) throws(OperationError) {
    guard let asked else { throw OperationError(.bug, "there is no device code") }
    do throws(SystemError) { alarm = try Alarm(on: account.queue, question) } catch {
      throw OperationError(.inputOutput, "could not wait for the user: \(error)")
    }
    wait(asked.polling.interval)
  }

  /// Sets the alarm for the next poll or, if that is earlier, for when the codes expire, so that this is reported immediately.
  private func wait(_ seconds: Int64) {
    guard let asked else { return }
    alarm?.set(min(.now + .seconds(seconds), asked.end))
  }

  /// Polls the server once (§3.4). Call in a job on the account's queue.
  func poll(completion: @escaping (LoginFlow.Event?) -> Void) {
    // The login may have ended before this job began.
    guard let asked, alarm != nil else { return completion(nil) }
    guard BootInstant.now < asked.end else { return completion(.failed(expired(asked))) }
    let request = AccessTokenRequest(
      endpoint: asked.endpoints.token, client: asked.client, grant: .deviceCode(asked.deviceCode))
    server.send(request.request, with: asked.deviceCode) { result in completion(self.take(result, asked)) }
  }

  private func take(_ result: Result<ProviderResponse, OperationError>, _ asked: Asked) -> LoginFlow.Event? {
    guard case .success(let response) = result else { return proceed(asked, after: nil, in: nil) }
    let outcome: Result<AccessTokenResponse, OAuth2ResponseError>
    do throws(OAuth2ResponseError) { outcome = .success(try AccessTokenResponse(response.oauth)) } catch {
      outcome = .failure(error)
    }
    return proceed(asked, after: outcome, in: response)
  }

  private func proceed(
    _ former: Asked, after outcome: Result<AccessTokenResponse, OAuth2ResponseError>?, in response: ProviderResponse?
  ) -> LoginFlow.Event? {
    var asked = former
    switch (asked.polling.next(after: outcome), response) {
    case (.wait(let seconds), _):
      self.asked = asked
      wait(seconds)
      return nil
    case (.authorised(let tokenResponse), let response?):
      var generator = RandomSource()
      let token = BearerToken(tokenResponse, in: response, clientID: asked.client.identifier, using: &generator)
      secrets.note(.oauth2(token))
      do throws(OperationError) {
        idToken = try IDToken(
          tokenResponse, in: response, at: server, asked.endpoints, clientID: asked.client.identifier, nonce: nil)
      } catch { return .failed(error) }
      return .exchanged(.oauth2(token), named: idToken?.user)
    case (.ended(let refusal), _) where refusal.code == "access_denied": return .refused(refusal.message)
    case (.ended(let refusal), _) where refusal.code == "expired_token": return .failed(expired(asked))
    case (.ended(let refusal), let response?):
      if let lost = server.lostRegistration(asked.client, after: .refused(refusal), in: response) {
        return .failed(OperationError(.notAuthorised, lost))
      }
      let failure = dependencies.provider.classifyToken(.refused(refusal), in: response)
      return .failed(OperationError(failure, .refused(refusal), "could not exchange the device code for a token"))
    case (.authorised, nil), (.ended, nil): return .failed(OperationError(.bug, "a response arrived without a request"))
    }
  }

  /// Stops polling.
  func stop() { alarm = nil }

  // MARK: The rest of a login

  var userRequest: ClientRequest? { userRequest(server, at: asked?.endpoints) }

  func noteCoarseScopes(of grant: TokenGrant, after response: ProviderResponse) -> String? {
    server.noteCoarseScopes(of: grant.bearer, after: response)
  }

  func exchange(_ proof: Secret, completion: @escaping Completion) {
    completion(.failed(OperationError(.bug, "a device code cannot be exchanged manually")))
  }

  package func authority(of grant: TokenGrant) throws(OperationError) -> RequestAuthority {
    guard case .oauth2(let token) = grant else {
      throw OperationError(.bug, "an OAuth 1.0a token can only be used for signing")
    }
    return .bearer(token.accessToken, server.profile.tokenPlacement)
  }

  func paste(_ line: String) -> LoginPaste { .proof(Secret(line)) }

  private func expired(_ asked: Asked) -> OperationError {
    OperationError(
      .notAuthorised,
      "the code was not entered within the \(asked.polling.expiresIn) s that the server allows; log in again")
  }

  private static let noDevices = OperationError(
    .configuration,
    "no device authorisation endpoint is known for the server. Log in without --device, or set endpoints.device_authorization "
      + "in the account if the server has one")
}
