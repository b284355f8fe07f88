internal import CivilTime
internal import Dispatch
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Settings
internal import Store
internal import Timeline
internal import Transport

/// Carries one login out on its account's queue: what `LoginFlow` says is signed, sent, shown and stored.
// Sendable because everything that changes in it is touched on the lane's queue only.
package final class LoginSession: @unchecked Sendable {
  private let account: Account
  private let desk: CallbackDesk
  private let options: LoginOptions
  private let tell: @Sendable (LoginNews) -> Void
  private let firstRefresh: @Sendable (@escaping @Sendable (RefreshReport) -> Void) -> Void
  private let completion: @Sendable (Result<Void, Failure>) -> Void
  private var flow: LoginFlow
  /// By what the login goes on, whatever a reload changes: set when it begins, which it does not without keys.
  private var means: AccountMeans?
  private var client: ClientCredentials?
  /// The account's generation when the login began.
  private var generation = 0
  /// The lane's turn, while a leg is under way.
  private var turn: Turn?
  private var ticket: CallbackDesk.Ticket?
  private var callbackAddress: RequestURL?
  private var reservation: TokenReservation?
  private var alarm: Alarm?
  private var user: User?
  /// Browsers that came back and were not answered yet, in the order of their callbacks.
  private var replies: [@Sendable (CallbackReply) -> Void] = []

  /// - Parameters:
  ///   - tell: called on the lane's queue.
  ///   - firstRefresh: has the account refreshed, once it is authorised.
  ///   - completion: called once, on the lane's queue, when the account's first refresh has ended and the browser has its page.
  package init(
    of account: Account, desk: CallbackDesk, options: LoginOptions, tell: @escaping @Sendable (LoginNews) -> Void,
    firstRefresh: @escaping @Sendable (@escaping @Sendable (RefreshReport) -> Void) -> Void,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    self.firstRefresh = firstRefresh
    self.account = account
    self.desk = desk
    self.options = options
    self.tell = tell
    self.completion = completion
    flow = LoginFlow(isOutOfBand: options.isOutOfBand)
  }

  /// Begins. The listener listens before the provider hears of its address.
  package func start() {
    lane.queue.async {
      // There is one browser's answer to wait for in an account: who begins anew means this one.
      self.account.login?.giveUp("another login of the account was begun")
      self.account.login = self
      do throws(Failure) {
        try self.prepare()
        self.handle(.begun)
      } catch {
        self.reservation = nil
        self.leave()
        self.completion(.failure(error))
      }
    }
  }

  /// Ends a login that still waits for its user; one whose verifier is being exchanged goes on. To be called on the lane's queue.
  func giveUp(_ reason: String) { handle(.givenUp(Failure(.tryAgain(at: nil), "\(reason), so this one has ended"))) }

  /// The same from any queue.
  package func withdraw(_ reason: String) { lane.queue.async { self.giveUp(reason) } }

  /// What the user pasted or typed.
  package func paste(_ line: String) { lane.queue.async { self.handle(.pasted(PastedRedirect(line))) } }

  /// There will be nothing more to paste.
  package func endInput() { lane.queue.async { self.handle(.inputEnded) } }

  /// Takes away what was prepared, because the program is to end before the login does. There is no outcome then.
  /// - Parameter done: called on the lane's queue.
  package func abandon(_ done: @escaping @Sendable () -> Void) {
    lane.queue.async {
      self.alarm = nil
      self.reservation = nil
      if let ticket = self.ticket { self.desk.close(ticket, showing: ResultPage("This login was ended")) {} }
      self.ticket = nil
      self.leave()
      done()
    }
  }

  /// The account has no login under way any more, if this was it.
  private func leave() {
    turn = nil
    if account.login === self { account.login = nil }
  }

  private func prepare() throws(Failure) {
    means = account.means
    generation = lane.generation
    client = try account.means.keys.get()
    // What stands in the way of keeping the token is found before the user is troubled.
    do throws(TokenStoreError) { reservation = try account.tokens.prepare(at: account.clock.now) } catch {
      throw Failure(error)
    }
    guard !options.isOutOfBand else { return }
    let (ticket, address, warning) = try desk.open { callback, reply in
      self.lane.queue.async {
        self.replies.append(reply)
        // The desk passes an unnamed refusal on only where this login alone can be meant.
        self.handle(.callback(callback, mayRefuseUnnamed: true))
      }
    }
    self.ticket = ticket
    callbackAddress = address
    if let warning { tell(.notice(warning)) }
  }

  private func handle(_ event: LoginFlow.Event) {
    dispatchPrecondition(condition: .onQueue(lane.queue))
    for action in flow.handle(event) { carryOut(action) }
  }

  /// Has an event handled when the handling of the present one is over.
  private func post(_ event: LoginFlow.Event) { lane.queue.later { self.handle(event) } }

  private func carryOut(_ action: LoginFlow.Action) {
    switch action {
    case .askForTemporaryCredentials: inTurn { $0.askForTemporaryCredentials($1, $2) }
    case .sendUser(let issued): send(issued)
    case .exchange(let issued, let verifier): inTurn { $0.exchange(issued, verifier, $1, $2) }
    case .confirm(let credentials): confirm(credentials)
    case .keep(let credentials, let user): keep(credentials, user)
    case .answerBrowser(let reply): if !replies.isEmpty { replies.removeFirst()(reply) }
    case .tell(let sentence): tell(.notice(sentence))
    case .end(let end): self.end(end)
    }
  }

  // MARK: The legs

  /// Has a leg done in a turn of the lane, before all that is not a login's. The turn lasts until the next time that somebody is
  /// waited for.
  private func inTurn(_ leg: @escaping (LoginSession, AccountMeans, ClientCredentials) -> Void) {
    guard let means, let client else { return }
    lane.enqueue(.login) { turn in
      self.turn = turn
      leg(self, means, client)
    }
  }

  private func askForTemporaryCredentials(_ means: AccountMeans, _ client: ClientCredentials) {
    let request = TemporaryCredentialsRequest(
      endpoint: means.provider.endpoints.requestToken, callback: callbackAddress.map { .url($0) } ?? .outOfBand)
    account.caller.call({ stamp in
      ClientRequest(try request.signed(by: client, method: means.settings.signatureMethod, stamp: stamp))
    }) { result in
      self.turn = nil
      self.handle(
        self.event(result, "request_token") { answer throws(AnswerError) in
          .issued(
            try TemporaryCredentialsResponse(
              answer, requireCallbackConfirmation: means.settings.requiresCallbackConfirmation))
        })
    }
  }

  private func send(_ issued: TemporaryCredentials) {
    let address: RequestURL
    do throws(RequestURLError) {
      address = try issued.authorizationURL(at: account.provider.endpoints.authorize)
    } catch {
      return post(.failed(Failure(.configuration, "the authorisation address cannot be made: \(error)")))
    }
    if let ticket { desk.expect(issued.identifier, for: ticket) }
    do throws(SystemError) {
      alarm = try Alarm(on: lane.queue) { [weak self] in self?.handle(.timedOut) }
      alarm?.set(.now + options.timeout)
    } catch { tell(.notice("Warning: this login has no time-out: \(error)")) }
    tell(.address(address, callbackPort: callbackAddress?.port))
  }

  private func exchange(
    _ issued: TemporaryCredentials, _ verifier: Secret, _ means: AccountMeans, _ client: ClientCredentials
  ) {
    let request = TokenRequest(endpoint: means.provider.endpoints.accessToken, temporary: issued, verifier: verifier)
    account.caller.call({ stamp in
      ClientRequest(try request.signed(by: client, method: means.settings.signatureMethod, stamp: stamp))
    }) { result in
      self.handle(
        self.event(result, "access_token") { answer throws(AnswerError) in .exchanged(try TokenResponse(answer)) })
    }
  }

  private func confirm(_ credentials: TokenCredentials) {
    guard let means, let client else { return }
    let signer = Signer(client: client, token: .token(credentials), method: means.settings.signatureMethod)
    let request = means.provider.userRequest()
    account.caller.call({ try ClientRequest(request, signedBy: signer, stamp: $0) }) { result in
      self.handle(self.confirmation(result, means.provider))
    }
  }

  private func confirmation(
    _ result: Result<ProviderAnswer, Failure>, _ provider: any Provider
  ) -> LoginFlow.Event {
    switch result {
    case .failure(let failure): return .failed(failure)
    case .success(let answer):
      do throws(ProviderError) { return .confirmed(try provider.user(from: answer)) } catch {
        let failure = Failure(error.problem)
        return .failed(Failure(failure.kind, "the provider does not say whose token it gave: \(failure.message)"))
      }
    }
  }

  private func event(
    _ result: Result<ProviderAnswer, Failure>, _ leg: String,
    _ read: (Answer) throws(AnswerError) -> LoginFlow.Event
  ) -> LoginFlow.Event {
    switch result {
    case .failure(let failure): return .failed(failure)
    case .success(let answer):
      do throws(AnswerError) { return try read(Answer(answer)) } catch { return .failed(Failure(error, leg)) }
    }
  }

  private var lane: Lane { account.lane }

  // MARK: Keeping

  private func keep(_ credentials: TokenCredentials, _ user: User) {
    let now = account.clock.now
    do {
      guard generation == lane.generation, !account.isClosed else {
        throw Failure(
          .tryAgain(at: nil),
          "the account's settings were changed while it was being authorised, so its new token is not kept. Log in again"
        )
      }
      let identity = AccountIdentity(server: account.provider.server, user: user)
      let former = try account.database.state().identity ?? account.tokens.load(at: now)?.identity
      if let former, former.conflicts(with: identity) { try replace(former, by: identity) }
      guard let reservation else { return }
      let token = StoredToken(
        provider: account.settings.provider, identity: identity, credentials: credentials, authorisedAt: now)
      try account.tokens.commit(token, into: reservation)
      try account.database.update { state in
        state.identity = identity
        if state.problem?.code == .notAuthorised { state.problem = nil }
      }
      self.user = user
      tell(.authorised(user))
      tell(.stored(account.files.token))
      post(.kept)
    } catch let failure as Failure {
      post(.failed(failure))
    } catch let error as TokenStoreError {
      post(.failed(Failure(error)))
    } catch {
      post(.failed(Failure(.inputOutput, "the token could not be stored: \(error)")))
    }
  }

  private func replace(_ former: AccountIdentity, by new: AccountIdentity) throws {
    guard options.switchesUser else {
      throw Failure(
        .notAuthorised,
        "the provider authorised @\(new.user.screenName) (\(new.user.id) at \(new.server)), but the account "
          + "\(account.settings.name) is @\(former.user.screenName)'s (\(former.user.id) at \(former.server)). Nothing was "
          + "stored. Log in as @\(former.user.screenName), or give the account over with --switch-user")
    }
    tell(.setAside(try account.setAside(userID: former.user.id).folders))
    // The reserved place lay in the folder that has moved.
    reservation = try account.tokens.prepare(at: account.clock.now)
  }

  // MARK: The end

  private func end(_ end: LoginEnd) {
    alarm = nil
    reservation = nil
    leave()
    let failure: Failure? =
      switch end {
      case .authorised: nil
      case .refused(let reason): Failure(.notAuthorised, "you refused (the provider says: \(reason))")
      case .timedOut:
        Failure(.notAuthorised, "nobody came back from the provider within \(options.timeout.components.seconds) s")
      case .failed(let failure): failure
      }
    let completion = completion
    if let failure {
      showOutcome(ResultPage(failure: failure, end)) { completion(.failure(failure)) }
      return
    }
    // The browser's page and the first refresh go on beside each other; the login ends when both have.
    let both = DispatchGroup()
    both.enter()
    showOutcome(ResultPage(authorised: user, account: account.settings.name.text)) { both.leave() }
    both.enter()
    let outcome = Locked<Result<Void, Failure>>(.success(()))
    firstRefresh { [tell] report in
      tell(.refreshed(report))
      if let failure = report.failure { outcome.withLock { $0 = .failure(failure) } }
      both.leave()
    }
    both.notify(queue: lane.queue) { completion(outcome.withLock { $0 }) }
  }

  private func showOutcome(_ page: ResultPage, _ closed: @escaping @Sendable () -> Void) {
    guard let ticket else { return lane.queue.async(execute: closed) }
    let queue = lane.queue
    desk.close(ticket, showing: page) { queue.async(execute: closed) }
  }
}
