package import Accounts
internal import CivilTime
internal import CallbackListener
internal import Dispatch
internal import HomelineOAuth
internal import HTTPClient
internal import Platform
internal import Providers
internal import Publish
package import Refresh
internal import Settings
internal import Storage
internal import Timeline

/// Runs one login on its account's queue, by carrying out the actions of a `LoginFlow`.
// Sendable because its mutable state is accessed only on the account's queue.
package final class LoginSession: AccountPart, @unchecked Sendable {
  private let account: Account
  private let callbackServer: CallbackServer
  private let users: AccountUsers
  private let options: LoginOptions
  private let tell: @Sendable (LoginProgress) -> Void
  private let firstRefresh: @Sendable (Account, @escaping @Sendable (RefreshReport) -> Void) -> Void
  private let completion: @Sendable (Result<Void, OperationError>) -> Void
  private var flow: LoginFlow
  /// The requests of the login, set when it begins. A login does not begin without the client's keys and a token reservation.
  private var strategy: (any LoginStrategy)?
  private var place: LoginTokenReservation?
  /// The login's current job on the account's queue; `nil` while the login is waiting for the user.
  private var context: JobContext?
  private var ticket: CallbackServer.Ticket?
  private var callbackAddress: RequestURL?
  /// Whether each login may get a different callback port.
  private var callbackPortVaries = false
  private var alarm: Alarm?
  private var user: User?
  /// The account that has the token, if it is not the login's.
  private var holder: Account?
  /// The pending replies to callbacks, in the order of the callbacks.
  private var replies: [@Sendable (CallbackReply) -> Void] = []

  /// - Parameters:
  ///   - tell: reports progress; called on the account's queue.
  ///   - users: knows the users of all accounts.
  ///   - firstRefresh: refreshes the account that was authorised.
  ///   - completion: called once, on the account's queue. After a successful login, it is called once the first refresh has ended and the
  ///     browser has received its page.
  package init(
    of account: Account, callbackServer: CallbackServer, users: AccountUsers, options: LoginOptions,
    tell: @escaping @Sendable (LoginProgress) -> Void,
    firstRefresh: @escaping @Sendable (Account, @escaping @Sendable (RefreshReport) -> Void) -> Void,
    completion: @escaping @Sendable (Result<Void, OperationError>) -> Void
  ) {
    self.users = users
    self.firstRefresh = firstRefresh
    self.account = account
    self.callbackServer = callbackServer
    self.options = options
    self.tell = tell
    self.completion = completion
    flow = LoginFlow(isOutOfBand: options.isOutOfBand)
  }

  /// Starts the login. The callback listener is open before its address is sent to the provider.
  package func start() {
    accountQueue.queue.async {
      // An account has at most one login at a time, so a new login replaces the previous one.
      if let former = self.account.part(LoginSession.self) {
        former.giveUp("another login for the account was started")
        self.account.detach(former)
      }
      self.account.attach(self)
      do throws(OperationError) {
        try self.prepare()
        self.handle(.begun)
      } catch {
        self.leave()
        self.completion(.failure(error))
      }
    }
  }

  /// Ends a login that is still waiting for its user. A login that is already exchanging its verifier continues. Call on the account's
  /// queue.
  package func giveUp(_ reason: String) {
    handle(.givenUp(OperationError(.tryAgain(at: nil), "\(reason), so this login has ended")))
  }

  /// Does the same as `giveUp(_:)`, but can be called from any queue.
  package func withdraw(_ reason: String) { accountQueue.queue.async { self.giveUp(reason) } }

  /// Handles a line that the user pasted or typed. Can be called from any queue.
  package func paste(_ line: String) {
    accountQueue.queue.async { if let strategy = self.strategy { self.handle(.pasted(strategy.paste(line))) } }
  }

  /// Handles the end of the user's input. Can be called from any queue.
  package func endInput() { accountQueue.queue.async { self.handle(.inputEnded) } }

  /// Releases the login's job, reservation and secrets. The account no longer has this login.
  private func leave() {
    place = nil
    context = nil
    if let strategy { account.secrets.end(strategy.secrets) }
    account.detach(self)
  }

  private func prepare() throws(OperationError) {
    guard account.needsToken else {
      throw OperationError(
        .configuration, "\(account.name) has a library's key and needs no login; homeline drive can use it now")
    }
    let strategy = try makeStrategy()
    account.secrets.begin(strategy.secrets)
    self.strategy = strategy
    place = try LoginTokenReservation(of: account)
    // No browser is redirected to this machine, so no port is opened.
    guard !options.isOutOfBand, !options.usesDevice, !options.usesToken, !usesPassword else { return }
    let (ticket, address, warning) = try callbackServer.open(callbackName, version: version) { callback, reply in
      self.accountQueue.queue.async {
        self.replies.append(reply)
        // The callback server passes on a refusal not tied to any login only if no other login is waiting.
        self.handle(.callback(callback, mayRefuseUnnamed: true))
      }
    }
    self.ticket = ticket
    callbackAddress = address
    callbackPortVaries = callbackServer.portVaries
    if let warning { tell(.notice(warning)) }
  }

  private func makeStrategy() throws(OperationError) -> any LoginStrategy {
    if options.usesToken {
      guard !usesPassword else {
        throw OperationError(.configuration, "the provider only supports logging in with a password: omit --with-token")
      }
      return try TokenLogin(of: account)
    }
    switch account.provider.authorization {
    case .oauth1(let endpoints):
      guard !options.usesDevice else {
        throw OperationError(
          .configuration,
          "the account uses OAuth 1.0a, which does not support logging in on another device; use --pin, or omit both options"
        )
      }
      return try OAuth1Login(of: account, endpoints)
    case .oauth2:
      guard let server = account.authorizationServer else {
        throw OperationError(.bug, "there is no authorisation server")
      }
      if server.profile.usesPassword {
        guard !options.isOutOfBand, !options.usesDevice else {
          throw OperationError(
            .configuration, "the provider only supports logging in with a password: omit --pin and --device")
        }
        return try PasswordLogin(of: account, server)
      }
      if options.usesDevice { return try DeviceLogin(of: account, server) }
      guard !options.isOutOfBand || server.profile.offersOutOfBand else {
        throw OperationError(
          .configuration,
          "the provider \(account.provider.name) does not show a PIN. Log in without --pin: if no redirect can arrive, paste "
            + "the address that the browser is redirected to, even if that page does not open")
      }
      return try OAuth2Login(of: account, server)
    }
  }

  private var version: OAuthVersion {
    switch account.provider.authorization {
    case .oauth1: .oauth1
    case .oauth2: .oauth2
    }
  }

  private var usesPassword: Bool {
    if case .oauth2(let profile) = account.provider.authorization { profile.usesPassword } else { false }
  }

  /// The path segment that distinguishes this server's redirects from those of other servers (RFC 8252 §8.10).
  private var callbackName: String? {
    if case .oauth2(let profile) = account.provider.authorization { profile.callbackName } else { nil }
  }

  private func handle(_ event: LoginFlow.Event) {
    dispatchPrecondition(condition: .onQueue(accountQueue.queue))
    for action in flow.handle(event) { carryOut(action) }
  }

  /// Handles an event after the current one.
  private func post(_ event: LoginFlow.Event) { accountQueue.queue.later { self.handle(event) } }

  private func carryOut(_ action: LoginFlow.Action) {
    switch action {
    case .prepare: prepareForUser()
    case .sendUser(let issue): send(issue)
    case .exchange(let proof): enqueue { $0.exchange(proof) { self.handle($0) } }
    case .confirm(let grant): strategy?.confirm(grant) { self.handle($0) }
    case .keep(let grant, let user): keep(grant, shown(user))
    case .answerBrowser(let reply): if !replies.isEmpty { replies.removeFirst()(shown(reply)) }
    case .tell(let sentence): tell(.notice(shown(sentence)))
    case .end(let end): self.end(shown(end))
    }
  }

  // MARK: Redaction

  /// Removes the secrets of the login and its account from a text. The sender of a redirect can put any text into it.
  private func shown(_ text: String) -> String {
    account.secrets.redaction(account.dependencies.keys, sent: []).applied(to: text)
  }

  private func shown(_ reply: CallbackReply) -> CallbackReply {
    if case .unusable(let reason) = reply { .unusable(shown(reason)) } else { reply }
  }

  private func shown(_ end: LoginEnd) -> LoginEnd {
    switch end {
    case .authorised, .timedOut: end
    case .refused(let reason): .refused(shown(reason))
    case .refusedUnnamed(let reason): .refusedUnnamed(shown(reason))
    case .failed(let failure): .failed(failure.saying(shown(failure.message)))
    }
  }

  /// Returns the user with names that are safe to show: on one line, without secrets, and without terminal control characters.
  private func shown(_ user: User) -> User {
    User(
      id: user.id, screenName: shown(SafeText.line(of: user.screenName)), name: shown(SafeText.line(of: user.name)),
      avatarURL: user.avatarURL)
  }

  // MARK: Requests

  /// Sends a login request in a job on the account's queue, ahead of all other classes of jobs. The job lasts until the login waits for the
  /// user again.
  private func enqueue(_ request: @escaping (any LoginStrategy) -> Void) {
    guard let strategy else { return }
    accountQueue.enqueue(.login) {
      self.handle(.failed(OperationError(.tryAgain(at: nil), "homeline is shutting down; log in again")))
    } _: { context in
      self.context = context
      request(strategy)
    }
  }

  private func prepareForUser() {
    enqueue { strategy in
      strategy.prepare(callback: self.callbackAddress) { event in
        // The login is now waiting for the user, so other jobs can run.
        self.context = nil
        self.handle(event)
      }
    }
  }

  private func send(_ issue: LoginIssue) {
    if let ticket, let key = issue.key { callbackServer.expect(key, for: ticket) }
    do throws(SystemError) {
      alarm = try Alarm(on: accountQueue.queue) { [weak self] in self?.handle(.timedOut) }
      alarm?.set(.now + options.timeout)
    } catch { tell(.notice("Warning: this login will not time out: \(error)")) }
    switch issue.invitation {
    case .address(let address): tell(.address(address, callbackPort: callbackAddress?.port))
    case .code(let code, let address, let complete):
      tell(.code(code, at: address, complete: complete))
      do throws(OperationError) { try strategy?.watch { [weak self] in self?.poll() } } catch { post(.failed(error)) }
    case .password: tell(.password)
    case .token(let lines): tell(.token(lines: lines))
    }
  }

  /// Polls the server for the user's decision. The job ends with the request or, if the user has decided, with the login.
  private func poll() {
    enqueue { strategy in
      strategy.poll { event in
        guard let event else {
          self.context = nil
          return
        }
        self.handle(event)
      }
    }
  }

  private var accountQueue: AccountQueue { account.accountQueue }

  private func keep(_ grant: TokenGrant, _ user: User) {
    guard let place else { return }
    let issuer = strategy?.idToken?.issuer
    let identity = AccountIdentity(server: account.provider.server, user: user, issuer: issuer)
    if let other = users.claim(identity, for: account.settings, yields: options.isForNewAccount) {
      if options.isForNewAccount { return settle(grant, of: identity, with: other) }
      tell(
        .notice(
          "@\(user.screenName) is also the user of the account \(other.name), so each of its posts is fetched twice. To keep one "
            + "account, remove the other: homeline account remove \(account.name)"))
    }
    defer { users.release(account.name) }
    do throws(OperationError) {
      let stored = try place.keep(grant, of: user, namedBy: issuer, switchesUser: options.switchesUser) {
        tell(.setAside($0))
      }
      self.user = user
      tell(.authorised(user))
      tell(.stored(account.tokens.location))
      noteMissingScopes(of: grant)
      noteEnd(of: stored)
      post(.kept)
    } catch { post(.failed(error)) }
  }

  // MARK: A user with another account

  /// Ends the login of a new account whose user has an account already.
  private func settle(_ grant: TokenGrant, of identity: AccountIdentity, with other: AccountSettings) {
    let token = KnownUserToken(
      grant: grant, user: identity.user, issuer: identity.issuer, options: options, settings: account.settings)
    let finish: @Sendable (Account?, Result<KnownUserToken.Result, OperationError>) -> Void = { holder, result in
      self.accountQueue.queue.async {
        do throws(OperationError) { self.settled(token, of: identity, with: holder, try result.get()) } catch {
          self.handle(.failed(error))
        }
      }
    }
    users.open(other) { result in
      let holder: Account
      do throws(OperationError) { holder = try result.get() } catch { return finish(nil, .failure(error)) }
      holder.accountQueue.enqueue(.login) {
        finish(nil, .failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; log in again")))
      } _: { context in
        let result = Result { () throws(OperationError) in try token.settle(with: holder) }
        context.end()
        finish(holder, result)
      }
    }
  }

  private func settled(
    _ token: KnownUserToken, of identity: AccountIdentity, with holder: Account?, _ result: KnownUserToken.Result
  ) {
    guard let holder else { return }
    // The command that added this account finds out by this that it is superfluous.
    try? account.update { $0.identity = identity }
    if result.fate == .revoked {
      let stored = StoredToken(
        provider: account.settings.provider, identity: identity, grant: token.grant, authorisedAt: account.clock.now)
      LogoutJob.revoke(stored, of: account) { _ in self.end(of: token, with: holder, result) }
    } else {
      end(of: token, with: holder, result)
    }
  }

  private func end(of token: KnownUserToken, with holder: Account, _ result: KnownUserToken.Result) {
    let name = token.user.screenName
    guard let location = result.location else {
      return handle(
        .failed(
          OperationError(
            .notAuthorised,
            "@\(name) has the account \(holder.name) already, which needs a login of its own: homeline login \(holder.name)"
          )))
    }
    self.holder = holder
    user = token.user
    tell(.authorised(token.user))
    tell(
      .notice(
        "@\(name) has the account \(holder.name) already, so no other one is added"
          + (result.fate == .given ? "" : "; it keeps its own token")))
    if result.fate == .given { tell(.stored(location)) }
    handle(.kept)
  }

  // MARK: Remarks

  /// Reports scopes that the server has left out, for example because the user did not select them.
  private func noteMissingScopes(of grant: TokenGrant) {
    guard case .oauth2(let profile) = account.provider.authorization, let granted = grant.bearer?.scope else { return }
    let missing = GrantedScopes(granted).missing(from: profile.scopes)
    guard !missing.isEmpty else { return }
    tell(
      .notice(
        "Warning: the server did not grant \(missing.joined(separator: ", ")), so programs may be refused. If you left a permission "
          + "out on its page, log in again: homeline login \(account.name)"))
  }

  /// Reports the time at which the login expires, if it cannot be renewed with a refresh token.
  private func noteEnd(of grant: TokenGrant) {
    guard let end = grant.loginExpiresAt else { return }
    let now = account.providerClient.serverNow(supposing: grant.bearer?.clockOffset ?? .zero)
    tell(
      .notice(
        "The server did not provide a refresh token, so this login expires on \(end.rfc3339) (\(DaysLeft.text(until: end, at: now))). "
          + "Log in again before then: homeline login \(account.name)"))
  }

  // MARK: The end

  private func end(_ end: LoginEnd) {
    alarm = nil
    strategy?.stop()
    leave()
    let failure: OperationError? =
      switch end {
      case .authorised: nil
      case .refused(let reason): OperationError(.notAuthorised, "you refused (the provider says: \(reason))")
      case .refusedUnnamed(let reason):
        OperationError(
          .notAuthorised,
          "the browser came back with a refusal (it says: \(reason)). Any web page can send one: if you did not refuse, log in again"
        )
      case .timedOut:
        OperationError(
          .notAuthorised,
          "no redirect arrived from the provider within \(options.timeout.components.seconds) s\(adviceOnSilence)")
      case .failed(let failure) where failure.isAboutCallback:
        failure.saying(failure.message + (registration.map { " \($0)" } ?? ""))
      case .failed(let failure): failure
      }
    let completion = completion
    if let failure {
      showOutcome(CallbackPage(failure: failure, end)) { completion(.failure(failure)) }
      return
    }
    // The browser fetches its page while the first refresh runs. The login ends once both have finished.
    let both = DispatchGroup()
    both.enter()
    let authorised = holder ?? account
    showOutcome(CallbackPage(authorised: user, account: authorised.name.text)) { both.leave() }
    both.enter()
    let outcome = Locked<Result<Void, OperationError>>(.success(()))
    firstRefresh(authorised) { [tell] report in
      tell(.refreshed(report))
      if let failure = report.failure { outcome.withLock { $0 = .failure(failure) } }
      both.leave()
    }
    both.notify(queue: authorised.queue) {
      let unpublished = authorised.publishBehind()
      completion(outcome.withLock { if case .success = $0, let unpublished { .failure(unpublished) } else { $0 } })
    }
  }

  /// Advice for when no redirect arrived. A provider that rejects the callback address shows the error only in the user's browser.
  private var adviceOnSilence: String {
    if case .selfRegistered? = try? account.dependencies.keys.get() { return "" }
    return registration.map { ". If the provider's page showed an error, register the callback address there. \($0)" }
      ?? ""
  }

  /// A sentence that states the callback address to register with the provider; `nil` in a login without a redirect.
  private var registration: String? {
    guard let callbackAddress else { return nil }
    let address = "The address to register is \(callbackAddress.text)"
    return callbackPortVaries
      ? address + " (its port changes with each login: set callback.port in the configuration first)" : address
  }

  private func showOutcome(_ page: CallbackPage, _ closed: @escaping @Sendable () -> Void) {
    guard let ticket else { return accountQueue.queue.async(execute: closed) }
    let queue = accountQueue.queue
    callbackServer.close(ticket, showing: page) { queue.async(execute: closed) }
  }
}
