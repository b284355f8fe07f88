internal import CivilTime
internal import Dispatch
package import HomelineOAuth
internal import HTTPClient
package import Providers
internal import Settings
package import Storage
internal import Timeline

/// One account's authorisation server: where it is asked, and as which client. What is not in the configuration is asked of the server
/// itself and kept. Belongs to the account's queue.
package final class AuthorizationServer {
  package let profile: OAuth2Profile
  private let provider: any Provider
  private let keys: ClientKeys
  private let metadata: any ServerMetadataStorage
  private let clients: any ClientStorage
  private let providerClient: ProviderClient
  private let secrets: AccountSecrets

  /// - Parameter storage: has what is known of the server.
  package init(
    _ profile: OAuth2Profile, of dependencies: AccountDependencies, storage: any StorageProvider,
    providerClient: ProviderClient,
    secrets: AccountSecrets
  ) {
    self.secrets = secrets
    self.profile = profile
    self.providerClient = providerClient
    provider = dependencies.provider
    keys = dependencies.keys
    metadata = storage.metadata(of: profile.serverName)
    clients = storage.clients(at: profile.serverName)
  }

  // MARK: Its addresses

  /// Asks the server for its addresses, where it is one that tells them, and keeps the answer; for a login.
  package func discover(completion: @escaping (Result<OAuth2Endpoints, Failure>) -> Void) {
    guard let place = profile.metadata, let issuer = try? RequestURL(place.issuer) else {
      return completion(known.map { .success($0) } ?? .failure(Self.nowhere))
    }
    ask(ServerMetadata.addresses(of: issuer)[...], place, trouble: nil, completion)
  }

  /// The same from what was learnt before, asking only when nothing was; for a renewal.
  func endpoints(completion: @escaping (Result<OAuth2Endpoints, Failure>) -> Void) {
    if let known { completion(.success(known)) } else { discover(completion: completion) }
  }

  /// What the provider's file, or the answer at the last login, says.
  var known: OAuth2Endpoints? {
    profile.metadata == nil ? profile.endpoints : metadata.read().map(completed) ?? profile.endpoints
  }

  private func ask(
    _ addresses: ArraySlice<RequestURL>, _ place: OAuth2Profile.Metadata, trouble: Failure?,
    _ completion: @escaping (Result<OAuth2Endpoints, Failure>) -> Void
  ) {
    guard let address = addresses.first else {
      // A server without metadata is none the worse where its addresses are known all the same.
      if let known = profile.endpoints { return completion(.success(known)) }
      return completion(.failure(trouble ?? Self.nowhere))
    }
    let request = ClientRequest(.get(address, query: []), authorization: nil)
    providerClient.send(request) { result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let response):
        do throws(ServerMetadataError) {
          let found = try ServerMetadata(
            OAuthResponse(response), issuer: place.issuer, acceptsTrailingSlash: place.acceptsTrailingSlash)
          // As the server told it, since the configuration may change. Not kept means asked for again before the next renewal.
          try? self.metadata.store(found.endpoints)
          completion(.success(self.completed(found.endpoints)))
        } catch {
          let failure = Failure(
            response.status >= 500 ? .unavailable : .configuration,
            "\(address.text) does not tell the server's addresses: \(error)")
          // That a document is another server's says more than that there is none at the other address.
          let tells = if case .issuerMismatch = error { true } else { false }
          self.ask(addresses.dropFirst(), place, trouble: tells ? failure : trouble ?? failure, completion)
        }
      }
    }
  }

  /// With what the account says instead, address by address, and what the provider's file says where the server is silent.
  private func completed(_ told: OAuth2Endpoints) -> OAuth2Endpoints {
    var all = profile.overrides.applied(to: told)
    all.authorize = all.authorize ?? profile.endpoints?.authorize
    all.revocation = all.revocation ?? profile.endpoints?.revocation
    all.deviceAuthorization = all.deviceAuthorization ?? profile.endpoints?.deviceAuthorization
    all.userInfo = all.userInfo ?? profile.endpoints?.userInfo
    return all
  }

  /// Sends what is never to be sent twice.
  /// - Parameter secret: what goes along with it.
  package func send(
    _ request: OAuth2FormRequest, with secret: Secret? = nil, completion: @escaping ProviderClient.Completion
  ) {
    providerClient.send(ClientRequest(request), with: [secret].compactMap(\.self), completion: completion)
  }

  private static let nowhere = Failure(
    .configuration, "it is not known where tokens are asked for: set \"issuer\", or \"endpoints\", in the account")

  // MARK: Who we are there

  /// Has the client's secret looked up, which may take a password manager its time.
  /// - Parameters:
  ///   - queue: the account's.
  ///   - completion: called on it, with why the secret cannot be had just now.
  func checkKeys(on queue: DispatchQueue, completion: @escaping (Failure?) -> Void) {
    keys.prepare(on: queue) { [keys] in
      do throws(Failure) {
        _ = try keys.get()
        completion(nil)
      } catch { completion(error) }
    }
  }

  /// The client that a login is begun as; registered now where this program does that itself.
  package func client(
    forRedirect redirect: String, at endpoints: OAuth2Endpoints,
    completion: @escaping (Result<OAuth2Client, Failure>) -> Void
  ) {
    do throws(Failure) {
      if let client = try configured(at: endpoints) { return completion(.success(client)) }
      if let client = try registered(
        at: endpoints, where: { clients throws(StorageError) in try clients.client(forRedirect: redirect) }
      ) {
        return completion(.success(client))
      }
    } catch { return completion(.failure(error)) }
    register(redirect, at: endpoints, completion)
  }

  /// The client that a token was given to.
  package func client(id: String, at endpoints: OAuth2Endpoints) throws(Failure) -> OAuth2Client {
    if let client = try configured(at: endpoints), client.identifier == id { return client }
    if let client = try registered(
      at: endpoints, where: { clients throws(StorageError) in try clients.client(id: id) })
    {
      return client
    }
    throw Failure(
      .configuration,
      "the token was given to the client \(id), which the configuration names no more; log in again")
  }

  /// Forgets a registration that the server does not know any more; the next login registers anew.
  package func forget(_ client: OAuth2Client) { try? clients.remove(id: client.identifier) }

  private func configured(at endpoints: OAuth2Endpoints) throws(Failure) -> OAuth2Client? {
    switch try keys.get() {
    case .oauth1: throw Failure(.configuration, "the account has no client_id")
    case .selfRegistered: nil
    case .oauth2(let id, let secret): client(id, secret, endpoints)
    }
  }

  private func registered(
    at endpoints: OAuth2Endpoints, where find: (any ClientStorage) throws(StorageError) -> RegisteredClient?
  ) throws(Failure) -> OAuth2Client? {
    do throws(StorageError) {
      return try find(clients).map { client($0.identifier, $0.secret, endpoints) }
    } catch { throw Failure(.badContent, "\(error)") }
  }

  /// How the client proves who it is: as the provider's file says, or else as the server says that it wants it.
  private func client(_ id: String, _ secret: Secret?, _ endpoints: OAuth2Endpoints) -> OAuth2Client {
    guard let secret else { return OAuth2Client(identifier: id, secret: nil, authentication: .none) }
    secrets.note(clientSecret: secret)
    let told = (endpoints.clientAuthentications ?? []).filter { $0 != .none }
    let wanted = profile.clientAuthentication
    return OAuth2Client(
      identifier: id, secret: secret,
      authentication: told.isEmpty || told.contains(wanted) ? wanted : told[0])
  }

  private func register(
    _ redirect: String, at endpoints: OAuth2Endpoints, _ completion: @escaping (Result<OAuth2Client, Failure>) -> Void
  ) {
    guard let request = provider.registrationRequest(redirect: redirect) else {
      return completion(.failure(Failure(.configuration, "the account needs a client_id")))
    }
    providerClient.send(ClientRequest(request, authorization: nil)) { result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let response):
        do {
          let registration = try self.provider.registration(from: response)
          let client = RegisteredClient(
            redirect: redirect, identifier: registration.clientID, secret: registration.clientSecret,
            registeredAt: response.receivedAt)
          try self.clients.store(client)
          completion(.success(self.client(client.identifier, client.secret, endpoints)))
        } catch let error as ProviderError {
          let failure = Failure(error.problem)
          completion(.failure(Failure(failure.kind, "homeline could not be registered there: \(failure.message)")))
        } catch { completion(.failure(Failure(.inputOutput, "the registration could not be kept: \(error)"))) }
      }
    }
  }
}

extension OAuth2FormRequest {
  /// The same with an access token in its header (RFC 6750 §2.1).
  fileprivate func authorised(by token: Secret) -> OAuth2FormRequest {
    OAuth2FormRequest(
      url: url, form: form, authorization: token.withExposedText { Secret("Bearer \($0)") })
  }
}

extension AuthorizationServer {
  /// Has the server forget a token (RFC 7009), and with a refresh token all that came of it (§2.1).
  package func revoke(_ token: BearerToken, completion: @escaping (LogoutReport) -> Void) {
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
          guard client.authentication == .none, case .success(let response) = result, response.status == 401 else {
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
  private static func report(_ result: Result<ProviderResponse, Failure>) -> LogoutReport {
    switch result {
    case .failure(let failure): return .notRevoked(failure.message)
    case .success(let response) where (200..<300).contains(response.status): return .revoked
    case .success(let response):
      do throws(OAuth2ResponseError) { _ = try AccessTokenResponse(OAuthResponse(response)) } catch {
        if case .refused(let refusal) = error { return .notRevoked(refusal.message) }
      }
      return .notRevoked("the server answered with status \(response.status)")
    }
  }
}

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
