package import Bytes
internal import Dispatch
internal import HTTPClient
package import HomelineOAuth
internal import Posting
package import Providers
internal import Settings
package import Storage
package import Time
package import Timeline

/// One account's authorisation server: its endpoints, and this program's client registration there. Values missing from the configuration
/// are requested from the server and stored. Belongs to the account's queue.
package final class AuthorizationServer {
  package let profile: OAuth2Profile
  /// The scopes that logins request: the profile's scopes that the server knows. ``discover(completion:)`` determines them.
  package private(set) var scopes: [String]
  private let provider: any Provider
  private let keys: ClientKeys
  /// What is stored about the server for all of its accounts.
  let metadata: any ServerMetadataStorage
  private let clients: any ClientStorage
  private let storage: any StorageProvider
  private let account: AccountName
  private let clock: WallClock
  private let providerClient: ProviderClient
  private let secrets: AccountSecrets

  /// - Parameter storage: stores the server's metadata and the registered clients.
  package init(
    _ profile: OAuth2Profile, of dependencies: AccountDependencies, storage: any StorageProvider,
    providerClient: ProviderClient,
    secrets: AccountSecrets, clock: WallClock
  ) {
    self.storage = storage
    account = dependencies.settings.name
    self.clock = clock
    self.secrets = secrets
    self.profile = profile
    scopes = profile.scopes
    self.providerClient = providerClient
    provider = dependencies.provider
    keys = dependencies.keys
    metadata = storage.metadata(of: profile.serverName)
    clients = storage.clients(at: profile.serverName)
  }

  // MARK: Endpoints

  /// Requests the server's metadata, if it has any, and stores the endpoints. Used for a login.
  package func discover(completion: @escaping (Result<OAuth2Endpoints, OperationError>) -> Void) {
    chooseScopes(nil)
    guard let place = profile.metadata, let issuer = try? RequestURL(place.issuer) else {
      return completion(known.map { .success($0) } ?? .failure(Self.nowhere))
    }
    ask(ServerMetadata.addresses(of: issuer)[...], place, trouble: nil, completion)
  }

  /// Provides the known endpoints, or requests them if none are known. Used for a renewal.
  func endpoints(completion: @escaping (Result<OAuth2Endpoints, OperationError>) -> Void) {
    if let known { completion(.success(known)) } else { discover(completion: completion) }
  }

  /// The endpoints in the provider's file, or those in the server's metadata at the last login.
  var known: OAuth2Endpoints? {
    profile.metadata == nil ? profile.endpoints : metadata.read().map(completed) ?? profile.endpoints
  }

  private func ask(
    _ addresses: ArraySlice<RequestURL>, _ place: OAuth2Profile.Metadata, trouble: OperationError?,
    _ completion: @escaping (Result<OAuth2Endpoints, OperationError>) -> Void
  ) {
    guard let address = addresses.first else {
      // A server without metadata can be used if its endpoints are known from elsewhere.
      if let known = profile.endpoints { return completion(.success(known)) }
      return completion(.failure(trouble ?? Self.nowhere))
    }
    let request = ClientRequest.get(address, query: [])
    providerClient.send(request) { result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let response):
        do throws(ServerMetadataError) {
          let found = try ServerMetadata(
            response.oauth, issuer: place.issuer, acceptsTrailingSlash: place.acceptsTrailingSlash)
          // Store the server's own values, because the configuration may change. If this fails, they are requested again before the next
          // renewal.
          try? self.metadata.store(found.endpoints)
          self.chooseScopes(found)
          completion(.success(self.completed(found.endpoints)))
        } catch {
          // A server without metadata responds with 404 and any body. Limits, outages and answers that are not the server's own are
          // temporary.
          let isForeign =
            if case .between = self.provider.origin(of: response) { response.status != 404 } else { false }
          let isPassing = response.status == 429 || response.status >= 500 || isForeign
          let failure = OperationError(
            isPassing ? response.retryAfter.map { .tryAgain(at: $0) } ?? .unavailable : .configuration,
            "could not read the server's addresses from \(address.text): \(error)")
          // If one address has another server's document and the other address has none, report the wrong document.
          let tells = if case .issuerMismatch = error { true } else { false }
          self.ask(addresses.dropFirst(), place, trouble: tells ? failure : trouble ?? failure, completion)
        }
      }
    }
  }

  /// Completes the server's endpoints: the account's settings take precedence, and the provider's file supplies the values that the server
  /// does not specify.
  private func completed(_ discovered: OAuth2Endpoints) -> OAuth2Endpoints {
    var all = profile.overrides.applied(to: discovered)
    all.authorize = all.authorize ?? profile.endpoints?.authorize
    all.revocation = all.revocation ?? profile.endpoints?.revocation
    all.deviceAuthorization = all.deviceAuthorization ?? profile.endpoints?.deviceAuthorization
    all.userInfo = all.userInfo ?? profile.endpoints?.userInfo
    return all
  }

  /// Adds the parameters that the provider requires to a token request.
  package func completed(
    _ request: OAuth2FormRequest, of client: OAuth2Client
  ) throws(OperationError) -> OAuth2FormRequest {
    do throws(ProviderFailure) {
      return try provider.completed(request, of: client, at: providerClient.serverNow)
    } catch { throw OperationError(error.problem) }
  }

  /// Sends a request that must never be sent more than once.
  /// - Parameter secret: a secret in the request.
  package func send(
    _ request: OAuth2FormRequest, with secret: Secret? = nil, completion: @escaping ProviderClient.Completion
  ) {
    providerClient.send(try ClientRequest(request), with: [secret].compactMap(\.self), completion: completion)
  }

  private static let nowhere = OperationError(
    .configuration, "the token endpoint is unknown: set \"issuer\" or \"endpoints\" in the account")

  // MARK: Scopes

  /// Determines the scopes that logins request.
  /// - Parameter found: the server's metadata; `nil` if it has none.
  private func chooseScopes(_ found: ServerMetadata?) {
    scopes = APIScopes.supported(profile.scopes, by: found?.scopes)
    if metadata.needsCoarseScopes { scopes = APIScopes.coarse(scopes) }
    if let found, scopes.isEmpty, profile.readsIDToken, found.supportsOpenID, !hasOtherLogin {
      scopes = APIScopes.proposed(by: found.scopes)
    }
  }

  /// Whether the account's token was issued without asking for a user. The server then chose the scopes, and continues to do so.
  private var hasOtherLogin: Bool {
    guard let token = try? storage.tokens(of: account).read() else { return false }
    let granted = (token.grant.bearer?.scope ?? "").split(separator: " ")
    return token.identity.issuer == nil && !granted.contains("openid")
  }

  /// The authorisation request's parameters beyond the standard ones: those of the profile and, if a refresh token from an OpenID provider
  /// is requested, the user's consent (OpenID Connect Core §11).
  package var authorizeParameters: [Parameter] {
    let configured = profile.authorizeParameters
    guard profile.readsIDToken, profile.metadata != nil, APIScopes.needConsent(scopes),
      !configured.contains(where: { $0.isNamed("prompt") })
    else { return configured }
    return configured + [Parameter("prompt", "consent")]
  }

  /// Records that the server accepts only coarse scopes, if it refuses a request for the user or a timeline although the token has the
  /// fine scopes for it. The next login then requests coarse scopes.
  /// - Parameter kind: the kind of the timeline. The request for the user needs the same scopes as the home timeline.
  /// - Returns: a message without a full stop; `nil` if this is not the reason for the refusal.
  package func noteCoarseScopes(
    of token: BearerToken?, for kind: TimelineName.Kind = .home, after response: ProviderResponse
  ) -> String? {
    guard response.status == 403, let said = provider.missingScope(in: response), let api = APIScopes.of(provider.name)
    else { return nil }
    let needed = api.reading([kind])
    let coarse = APIScopes.coarse(needed)
    let granted = (token?.scope ?? profile.scopes.joined(separator: " ")).split { $0 == " " || $0 == "," }.map(
      String.init)
    guard coarse != needed, needed.allSatisfy(granted.contains), (try? metadata.noteCoarseScopes()) != nil
    else { return nil }
    return
      "the token does not cover this (\(provider.serverName) says “\(said)”); homeline login asks for "
      + "\(coarse.joined(separator: ", ")) instead"
  }

  // MARK: Clients

  /// Looks up the client's secret, which may take time if a password manager provides it.
  /// - Parameters:
  ///   - queue: the account's queue.
  ///   - completion: called on that queue; receives an error if the secret is not available now.
  func checkKeys(on queue: DispatchQueue, completion: @escaping (OperationError?) -> Void) {
    keys.prepare(on: queue) { [keys] in
      do throws(OperationError) {
        _ = try keys.get()
        completion(nil)
      } catch { completion(error) }
    }
  }

  /// Provides the client for a login. If no client is configured or registered yet, this program registers itself first.
  package func client(
    forRedirect redirect: String, at endpoints: OAuth2Endpoints,
    completion: @escaping (Result<LoginClient, OperationError>) -> Void
  ) {
    do throws(OperationError) {
      if let client = try configured(at: endpoints) { return completion(.success(LoginClient(client, .configured))) }
      if let client = try registered(
        at: endpoints,
        where: { clients throws(StorageError) in try clients.client(forRedirect: redirect, allowing: self.scopes) }
      ) {
        return completion(.success(LoginClient(client, .stored)))
      }
    } catch { return completion(.failure(error)) }
    register(redirect, at: endpoints, completion)
  }

  /// Registers this program again, because the server no longer knows a stored registration. The old registration is forgotten only if this
  /// succeeds.
  package func clientAnew(
    after former: OAuth2Client, forRedirect redirect: String, at endpoints: OAuth2Endpoints,
    completion: @escaping (Result<LoginClient, OperationError>) -> Void
  ) {
    register(redirect, at: endpoints) { result in
      if case .success = result { self.forget(former) }
      completion(result)
    }
  }

  /// Returns the client that a token was issued to.
  package func client(id: String, at endpoints: OAuth2Endpoints) throws(OperationError) -> OAuth2Client {
    if let client = try configured(at: endpoints), client.identifier == id { return client }
    if let client = try registered(
      at: endpoints, where: { clients throws(StorageError) in try clients.client(id: id) })
    {
      return client
    }
    throw OperationError(
      .configuration,
      "the token was issued to the client \(id), which is no longer in the configuration; log in again")
  }

  /// Excludes a registration that the server no longer knows from later logins, so that the next login registers this program again. The
  /// registration is kept as long as a token names it. It has no effect on a client in the configuration.
  package func forget(_ client: OAuth2Client) { try? clients.forget(id: client.identifier, at: clock.now) }

  /// Forgets this program's registration if the server has refused it in a token request.
  /// - Returns: the message to report, without a full stop; `nil` if the server did not refuse the client, or if the user registered it.
  package func lostRegistration(
    _ client: OAuth2Client, after error: OAuth2ResponseError, in response: ProviderResponse
  ) -> String? {
    guard case .refused(let refusal) = error, refusal.refusesClient, registersItself,
      case .configuration = provider.classifyToken(error, in: response)
    else { return nil }
    forget(client)
    return
      "\(provider.serverName) no longer knows homeline's registration (it says “\(refusal.message)”). Log in again: homeline "
      + "registers itself again"
  }

  /// Whether this program registers itself with the server.
  var registersItself: Bool { if case .selfRegistered? = try? keys.get() { true } else { false } }

  /// Removes the forgotten registrations that no token names. An unreadable token may name any of them.
  private func removeUnusedRegistrations() {
    do throws(StorageError) {
      var named: Set<String> = []
      for account in try storage.accounts() {
        if let id = try storage.tokens(of: account).read()?.grant.bearer?.clientID { named.insert(id) }
      }
      try clients.removeForgotten(except: named)
    } catch { return }
  }

  private func configured(at endpoints: OAuth2Endpoints) throws(OperationError) -> OAuth2Client? {
    switch try keys.get() {
    case .oauth1: throw OperationError(.configuration, "the account has no client_id")
    case .selfRegistered: nil
    case .oauth2(let id, let secret): client(id, secret, endpoints)
    }
  }

  private func registered(
    at endpoints: OAuth2Endpoints, where find: (any ClientStorage) throws(StorageError) -> RegisteredClient?
  ) throws(OperationError) -> OAuth2Client? {
    do throws(StorageError) {
      return try find(clients).map { client($0.identifier, $0.secret, endpoints) }
    } catch { throw OperationError(.badContent, "\(error)") }
  }

  /// Returns the client with its authentication method: the method in the account's configuration, otherwise the method in the provider's
  /// file or, if the server does not support that method, the first method that the server lists.
  private func client(_ id: String, _ secret: Secret?, _ endpoints: OAuth2Endpoints) -> OAuth2Client {
    guard let secret else { return OAuth2Client(identifier: id, secret: nil, authentication: .none) }
    secrets.note(clientSecret: secret)
    let supported = (endpoints.clientAuthentications ?? []).filter { $0 != .none }
    let wanted = profile.clientAuthentication
    return OAuth2Client(
      identifier: id, secret: secret,
      authentication: profile.configuredAuthentication
        ?? (supported.isEmpty || supported.contains(wanted) ? wanted : supported[0]))
  }

  private func register(
    _ redirect: String, at endpoints: OAuth2Endpoints,
    _ completion: @escaping (Result<LoginClient, OperationError>) -> Void
  ) {
    guard let request = provider.registrationRequest(redirect: redirect, scopes: scopes) else {
      return completion(.failure(OperationError(.configuration, "the account needs a client_id")))
    }
    providerClient.send(request) { result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let response):
        do {
          let registration = try self.provider.registration(from: response)
          let client = RegisteredClient(
            redirect: redirect, identifier: registration.clientID, secret: registration.clientSecret,
            registeredAt: response.receivedAt, scopes: self.scopes)
          try self.clients.store(client)
          self.removeUnusedRegistrations()
          completion(.success(LoginClient(self.client(client.identifier, client.secret, endpoints), .new)))
        } catch let error as ProviderFailure {
          let failure = OperationError(error.problem)
          completion(
            .failure(OperationError(failure.kind, "could not register homeline with the server: \(failure.message)")))
        } catch { completion(.failure(OperationError(.inputOutput, "the registration could not be stored: \(error)"))) }
      }
    }
  }
}

extension OAuth2FormRequest {
  /// Returns the request with an access token in its Authorization header (RFC 6750 §2.1).
  fileprivate func authorised(by token: Secret) -> OAuth2FormRequest {
    OAuth2FormRequest(
      url: url, form: form, authorization: token.withExposedText { Secret("Bearer \($0)") })
  }
}

extension AuthorizationServer {
  /// Revokes a token at the server (RFC 7009). Revoking a refresh token also revokes the access tokens issued with it (§2.1).
  package func revoke(_ token: BearerToken, completion: @escaping (LogoutReport) -> Void) {
    // A token can be revoked only by its own client (§2.1).
    guard !token.clientID.isEmpty else {
      return completion(.notRevoked("the token was issued to another program, which can still use it"))
    }
    endpoints { result in
      do throws(OperationError) {
        let endpoints = try result.get()
        guard let address = endpoints.revocation else { return completion(.deletedOnly) }
        let client = try self.client(id: token.clientID, at: endpoints)
        let request = RevocationRequest(
          endpoint: address, client: client, token: token.refreshToken ?? token.accessToken,
          hint: token.refreshToken == nil ? "access_token" : "refresh_token")
        self.send(request.request, with: token.refreshToken ?? token.accessToken) { result in
          // If a client has no secret, some servers require the access token (glewlwyd).
          guard client.authentication == .none, case .success(let response) = result, response.status == 401 else {
            return completion(self.report(result, to: client))
          }
          self.send(request.request.authorised(by: token.accessToken), with: token.accessToken) {
            completion(self.report($0, to: client))
          }
        }
      } catch { completion(.notRevoked(error.message)) }
    }
  }

  /// Returns the logout report for the response to a revocation request. The server's success means that the token is invalid, even if the
  /// server never knew it (§2.2). A web page with status 200 is not the server's success.
  private func report(_ result: Result<ProviderResponse, OperationError>, to client: OAuth2Client) -> LogoutReport {
    switch result {
    case .failure(let failure): return .notRevoked(failure.message)
    case .success(let response):
      if !(200..<300).contains(response.status) {
        do throws(OAuth2ResponseError) { _ = try AccessTokenResponse(response.oauth) } catch {
          if let lost = lostRegistration(client, after: error, in: response) {
            return .notRevoked(lost)
          }
          if case .refused(let refusal) = error { return .notRevoked(refusal.message) }
        }
        return .notRevoked("the server responded with status \(response.status)")
      }
      return provider.objection(toRevocation: response, needsContent: false).map { .notRevoked($0) } ?? .revoked
    }
  }
}
