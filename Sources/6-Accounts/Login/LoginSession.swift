package import Accounts
internal import Bytes
internal import CallbackListener
internal import Dispatch
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Runs one login on its account's queue, by carrying out the actions of a `LoginFlow`.
// Sendable because its mutable state is accessed only on the account's queue.
package final class LoginSession: PendingLogin, @unchecked Sendable {
  private let account: Account
  private let callbackServer: CallbackServer
  private let users: AccountUsers
  private let options: LoginOptions
  private let tell: @Sendable (LoginProgress) -> Void
  private let firstRefresh: FirstRefresh
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
  private var replies: [@Sendable (RedirectServer.Objection?) -> Void] = []

  /// Refreshes the timelines of an account, and passes each report to the first closure. Calls the second one after all of them.
  package typealias FirstRefresh =
    @Sendable (Account, @escaping @Sendable (RefreshReport) -> Void, @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - tell: reports progress; called on the account's queue.
  ///   - users: knows the users of all accounts.
  ///   - firstRefresh: refreshes the account that was authorised, its home timeline first.
  ///   - completion: called once, on the account's queue. After a successful login, it is called once the first refresh has ended and the
  ///     browser has received its page.
  package init(
    of account: Account, callbackServer: CallbackServer, users: AccountUsers, options: LoginOptions,
    tell: @escaping @Sendable (LoginProgress) -> Void,
    firstRefresh: @escaping FirstRefresh,
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
      self.account.login?.giveUp("another login for the account was started")
      self.account.login = self
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
    if let strategy { account.authority.secrets.end(strategy.secrets) }
    if account.login === self { account.login = nil }
  }

  private func prepare() throws(OperationError) {
    guard account.authority.needsToken else {
      throw OperationError(
        .configuration, "\(account.name) has a library's key and needs no login; homeline drive can use it now")
    }
    let strategy = try method.strategy()
    account.authority.secrets.begin(strategy.secrets)
    self.strategy = strategy
    place = try LoginTokenReservation(of: account)
    // No browser is redirected to this machine, so no port is opened.
    guard method.usesRedirect else { return }
    let (ticket, address, warning) = try callbackServer.open(method.callbackName, version: method.version) {
      callback, reply in
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
    case .keep(let grant, let user):
      let shown = redaction.applied(to: user)
      guard options.switchesUser else { return keep(grant, shown) }
      // The previous user's folders can be moved aside only when no file is being written there.
      account.whenRendered { _ in self.keep(grant, shown) }
    case .answerBrowser(let objection):
      if !replies.isEmpty { replies.removeFirst()(objection.map { redaction.applied(to: $0) }) }
    case .tell(let sentence): tell(.notice(redaction.applied(to: sentence)))
    case .end(let end): self.end(redaction.applied(to: end))
    }
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
  private var method: LoginMethod { LoginMethod(account: account, options: options) }
  private var redaction: LoginRedaction { LoginRedaction(of: account) }
  private var notices: LoginNotices {
    LoginNotices(
      account: account, method: method, callbackAddress: callbackAddress, callbackPortVaries: callbackPortVaries)
  }

  private func keep(_ grant: TokenGrant, _ user: User) {
    guard let place else { return }
    let issuer = strategy?.idToken?.issuer
    let identity = AccountIdentity(server: account.provider.server, user: user, issuer: issuer)
    if let other = users.claim(identity, for: account.settings, yields: options.isForNewAccount) {
      if options.isForNewAccount { return settle(grant, of: identity, with: other) }
      tell(.notice(notices.isAlsoUser(user, of: other.name)))
    }
    defer { users.release(account.name) }
    do throws(OperationError) {
      let stored = try place.keep(grant, of: user, namedBy: issuer, switchesUser: options.switchesUser) {
        tell(.setAside($0))
      }
      self.user = user
      tell(.authorised(user))
      tell(.stored(account.authority.tokens.location))
      for sentence in notices.afterStoring(stored, issued: grant) { tell(.notice(sentence)) }
      post(.kept)
    } catch { post(.failed(error)) }
  }

  /// Ends the login of a new account whose user already has an account.
  private func settle(_ grant: TokenGrant, of identity: AccountIdentity, with other: AccountSettings) {
    let token = KnownUserToken(grant: grant, identity: identity, options: options, account: account)
    token.settle(with: other, of: users) { result in
      do throws(OperationError) { self.settled(token, try result.get()) } catch { self.handle(.failed(error)) }
    }
  }

  private func settled(_ token: KnownUserToken, _ outcome: KnownUserToken.Outcome) {
    let user = token.identity.user
    guard let location = outcome.location else {
      return handle(.failed(notices.needsLogin(outcome.holder, of: user)))
    }
    holder = outcome.holder
    self.user = user
    tell(.authorised(user))
    tell(.notice(notices.hasAccount(outcome.holder, user, outcome.fate)))
    if outcome.fate == .given { tell(.stored(location)) }
    handle(.kept)
  }

  // MARK: The end

  private func end(_ end: LoginEnd) {
    alarm = nil
    strategy?.stop()
    if flow.endedUnanswered { strategy?.endedUnanswered() }
    leave()
    let failure = notices.failure(at: end)
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
      // The other timelines may need something else, such as the name of a list that exists. This has been reported.
      if report.timeline == .home, let failure = report.failure { outcome.withLock { $0 = .failure(failure) } }
    } _: {
      both.leave()
    }
    both.notify(queue: authorised.queue) {
      authorised.publishBehind { unpublished in
        completion(outcome.withLock { if case .success = $0, let unpublished { .failure(unpublished) } else { $0 } })
      }
    }
  }

  private func showOutcome(_ page: CallbackPage, _ closed: @escaping @Sendable () -> Void) {
    guard let ticket else { return accountQueue.queue.async(execute: closed) }
    let queue = accountQueue.queue
    callbackServer.close(ticket, showing: page) { queue.async(execute: closed) }
  }
}
