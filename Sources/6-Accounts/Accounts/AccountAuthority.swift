internal import Bytes
internal import Dispatch
internal import Folders
internal import HTTPClient
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Settings
package import Storage
package import Time
package import Timeline

/// An account's right to send requests: its token, the token's renewal, the keys that sign requests, and the client that sends them.
/// Call within a job. Belongs to the account's queue.
package final class AccountAuthority {
  let core: AccountCore
  let spending: AccountSpending
  private let store: AccountStore
  private let storage: any StorageProvider
  private let starts: RequestStarts
  package let tokens: any TokenStorage
  /// The secrets to hide when quoting the provider's responses.
  package let secrets = AccountSecrets()
  /// Counts the account's requests, across reloads.
  private let requestCap: RequestCap
  private let clockOffset: ClockOffsetFile
  /// An access token that was refused right after a renewal. Another renewal would not help.
  var doubtedToken: Secret?

  init(
    of core: AccountCore, in store: AccountStore, _ storage: any StorageProvider, _ tokens: any TokenStorage,
    spending: AccountSpending, starts: RequestStarts, boot: @escaping @Sendable () -> BootInstant
  ) {
    self.core = core
    self.store = store
    self.storage = storage
    self.tokens = tokens
    self.spending = spending
    self.starts = starts
    requestCap = RequestCap(clock: boot)
    clockOffset = ClockOffsetFile(core.files, wall: core.clock, boot: boot)
  }

  private var queue: DispatchQueue { core.accountQueue.queue }

  // MARK: Clients

  /// Sends requests with the account's nonces and timestamps. A reload creates another client and does not affect a running request.
  package private(set) lazy var providerClient = makeProviderClient()

  /// The server that issues the account's tokens; `nil` with OAuth 1.0a, whose tokens do not expire.
  package private(set) lazy var authorizationServer = makeAuthorizationServer()

  /// Renews the account's token; `nil` if its tokens are not renewed.
  package private(set) lazy var renewer = makeRenewer(after: nil)

  /// Uses the account's new settings for later requests.
  func settingsWereChanged() {
    providerClient = makeProviderClient()
    authorizationServer = makeAuthorizationServer()
    renewer = makeRenewer(after: renewer)
  }

  private func makeRenewer(after former: Renewer?) -> Renewer? {
    authorizationServer.map {
      Renewer(
        $0, of: core.provider, tokens: tokens, providerClient: providerClient, starts: starts, queue: queue,
        shutdown: core.shared.shutdown, clock: core.clock, log: core.log, after: former)
    }
  }

  private func makeAuthorizationServer() -> AuthorizationServer? {
    guard let profile else { return nil }
    return AuthorizationServer(
      profile, of: core.dependencies, storage: storage, providerClient: providerClient, secrets: secrets,
      clock: core.clock)
  }

  private func makeProviderClient() -> ProviderClient {
    let provider = core.provider
    let isSigned = if case .oauth1 = provider.authorization { true } else { signsRequests }
    return ProviderClient(
      client: core.dependencies.transport, queue: queue, clock: core.clock, sendsTimestamps: isSigned,
      stored: clockOffset, reach: profile.flatMap { ServerAddressPolicy($0, provider: provider.host) },
      cap: requestCap, requestsPerMinute: provider.traits.requestsPerMinute, classify: { provider.classify($0) },
      hiding: { [secrets, keys = core.dependencies.keys] in secrets.redaction(keys, sent: $0) }, log: core.log)
  }

  // MARK: The token

  /// Loads the account's token, if a token is stored.
  package func loadToken() throws(StorageError) -> StoredToken? {
    let token = try tokens.load(at: core.clock.now)
    if let token { secrets.note(token.grant) }
    return token
  }

  /// Forgets what is known about a token, after the account has received a different token or lost it.
  package func tokenWasReplaced() {
    renewer?.begin()
    doubtedToken = nil
  }

  /// Completes a renewal that was in progress when an earlier process exited.
  /// - Returns: whether that process received no response, so that the renewal has to be repeated.
  func recoverToken() -> Bool {
    defer { encryptToken() }
    do throws(StorageError) {
      switch try tokens.recover(at: core.clock.now) {
      case .nothing: break
      case .completed:
        core.log(.notice, "recovered a renewed token that an earlier process had received before it ended")
      case .unanswered:
        core.log(
          .warning, "an earlier process ended while waiting for a renewed token; trying the previous token again")
        return true
      }
    } catch { core.log(.error, "\(error)") }
    return false
  }

  /// Repeats, in its own job, a renewal that an earlier process left without a response: servers accept a used refresh token for a few
  /// seconds at most. The pause after an unfinished request applies to all other requests.
  func repeatRenewal() {
    guard let renewer else { return }
    renewer.expectsRepetition = true
    core.accountQueue.enqueue(.schedule) {
    } _: { context in
      guard renewer === self.renewer, renewer.expectsRepetition, let token = try? self.loadToken() else {
        return context.end()
      }
      self.provide(for: token, isAwaited: true) { result in
        if case .failure(let failure) = result { self.core.log(.warning, failure.message) }
        context.end()
      }
    }
  }

  /// Encrypts a token that an interrupted `homeline keyring enable` left in a plain file.
  private func encryptToken() {
    guard storage.protection?.current == .keyring else { return }
    do throws(StorageError) {
      if try tokens.applyProtection() {
        core.log(.notice, "the token is encrypted now, with the key in the keyring")
      }
    } catch {
      // The first request reports this error.
      core.log(.debug, "the token was not checked for encryption: \(error)")
    }
  }

  /// The token's next scheduled renewal, according to this machine's clock; `nil` if the token is not renewed, or if a new
  /// login is required. A token that the server no longer renews is checked when it expires, so that the lost login is reported then.
  package var renewalDue: Timestamp? {
    guard let renewer, !store.knownState.needsLogin,
      let token = try? tokens.read(), let bearer = token.grant.bearer, bearer.refreshToken != nil,
      let renewAt = token.hasEnded ? bearer.expiresAt : bearer.renewAt
    else { return nil }
    let due = core.clock.now + (renewAt - providerClient.serverNow(supposing: bearer.clockOffset))
    return renewer.pausedUntil.map { max($0, due) } ?? due
  }

  // MARK: Authority for requests

  /// Provides the authority for requests. A token that is about to expire is renewed first.
  /// - Parameter isAwaited: whether a user is waiting for the result.
  package func provide(
    for token: StoredToken, isAwaited: Bool, completion: @escaping (AuthorityResult) -> Void
  ) {
    guard let renewer, objection(to: token) == nil else {
      return signingWithoutRenewal(of: token, completion: completion)
    }
    renewer.current(token, isAwaited: isAwaited) { result in
      guard self.signsRequests else { return completion(result.flatMap(self.withoutRenewal)) }
      self.core.dependencies.keys.prepare(on: self.queue) { completion(result.flatMap(self.withoutRenewal)) }
    }
  }

  /// Provides a token's authority without renewing the token. The completion may be called later, because looking up the signing key can
  /// take a while.
  private func signingWithoutRenewal(of token: StoredToken, completion: @escaping (AuthorityResult) -> Void) {
    guard case .oauth1 = token.grant, objection(to: token) == nil else { return completion(withoutRenewal(of: token)) }
    core.dependencies.keys.prepare(on: queue) { completion(self.withoutRenewal(of: token)) }
  }

  /// Provides the authority of an account that needs no token.
  package func provideWithoutToken(completion: @escaping (Result<RequestAuthority, TokenUnavailableError>) -> Void) {
    core.dependencies.keys.prepare(on: queue) { completion(self.clientAuthority(token: nil)) }
  }

  private func clientAuthority(token: Secret?) -> Result<RequestAuthority, TokenUnavailableError> {
    do throws(OperationError) {
      guard case .oauth2(let id, let secret) = try core.dependencies.keys.get() else {
        throw OperationError(.configuration, "the account has no client_id")
      }
      let client = OAuth2Client(identifier: id, secret: secret, authentication: .none)
      return .success(.client(client, token: token, core.provider))
    } catch { return .failure(.problem(Problem(code: .secretUnavailable, message: error.message))) }
  }

  /// Whether requests need a user's token. If not, the client's key is enough.
  package var needsToken: Bool { profile?.needsToken ?? true }

  /// Whether requests are signed with the client's secret.
  var signsRequests: Bool { profile?.signsRequests ?? false }

  private var profile: OAuth2Profile? {
    if case .oauth2(let profile) = core.provider.authorization { profile } else { nil }
  }

  /// Renews a token that the provider has refused, and provides the authority of the renewed token.
  package func provideRenewed(for token: StoredToken, completion: @escaping (AuthorityResult) -> Void) {
    guard let renewer, objection(to: token) == nil else { return completion(withoutRenewal(of: token)) }
    renewer.renew(token) { result in completion(result.flatMap(self.withoutRenewal)) }
  }

  /// Returns whether this token can be renewed with a refresh token.
  func canRenew(_ token: StoredToken) -> Bool { renewer != nil && token.grant.bearer?.refreshToken != nil }

  /// Returns the reason a token must not be sent to the account's server; `nil` if it may be sent. A token from a different server must not
  /// be sent, because a server that receives a token can act as its user.
  package func objection(to token: StoredToken) -> Problem? {
    guard token.grant.bearer != nil, token.identity.server != core.provider.server else { return nil }
    return Problem(
      code: .configuration,
      message:
        "The token was issued by \(token.identity.server), but the account is now configured for \(core.provider.server). "
        + "Restore the settings, or log in again: homeline login \(core.name)")
  }

  /// Returns a token's authority without renewing the token.
  package func withoutRenewal(of token: StoredToken) -> AuthorityResult {
    if let problem = objection(to: token) { return .failure(.problem(problem)) }
    // The token may just have been renewed.
    secrets.note(token.grant)
    switch (token.grant, core.provider.authorization) {
    case (.oauth1(let credentials), .oauth1):
      let signer: Signer
      do throws(OperationError) {
        signer = try core.dependencies.keys.signer(of: credentials, method: core.settings.signatureMethod)
      } catch {
        return .failure(.problem(Problem(code: .secretUnavailable, message: error.message)))
      }
      return .success((.signer(signer), token))
    case (.oauth2(let bearer), .oauth2(let profile)) where profile.signsRequests:
      return clientAuthority(token: bearer.accessToken).map { ($0, token) }
    case (.oauth2(let bearer), .oauth2(let profile)):
      return .success((.bearer(bearer.accessToken, profile.tokenPlacement), token))
    case (.oauth1, .oauth2), (.oauth2, .oauth1):
      return .failure(
        .problem(
          Problem(
            code: .notAuthorised,
            message:
              "The token was issued for a different version of OAuth than the account is now configured for."
          )))
    }
  }
}
