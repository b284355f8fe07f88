internal import HTTPClient
internal import Platform
package import Posting
internal import Providers
internal import Settings
package import Storage
internal import Time
internal import Timeline

/// Sends an account's posts one after another, each in a job on the account's queue. An alarm starts it again for posts that have to wait.
// Sendable because all mutable state is accessed on the account's queue only.
package final class OutboxSender: PostSender, @unchecked Sendable {
  unowned let account: Account
  private let storage: any OutboxStorage
  private var generator = SystemRandomNumberGenerator()
  private var alarm: Alarm?
  private var isEnqueued = false
  private(set) var isClosed = false
  /// Whether a job is enqueued or running.
  private var isWorking = false
  /// Whether another request of the account has succeeded since a post last had to wait.
  var hasNewSuccess = false
  /// The users' commands that wait for a post.
  var waiting: [IntentID: [PostWaiter]] = [:]
  private var whenResting: [() -> Void] = []
  private(set) var uploader: PostUploader!
  /// The server's rules, and the time when they were read.
  private var rules: (rules: PostingRules, at: Timestamp)?

  static let otherAuthor = "the account now belongs to another user"

  private static let rulesLifetime = Duration.seconds(3600)

  /// - Parameter onUpload: called on the queue with the progress of an upload, and with `nil` when none is in progress.
  package init(
    of account: Account, in storage: any OutboxStorage, onUpload: @escaping (UploadProgress?) -> Void = { _ in }
  ) {
    self.account = account
    self.storage = storage
    uploader = PostUploader(of: account) { [unowned self] progress in
      onUpload(progress)
      guard let progress, let id = IntentID(progress.post) else { return }
      for waiter in waiting[id] ?? [] { waiter.tell(progress) }
    }
  }

  // MARK: Users' requests

  package func intents() throws(OperationError) -> [PostIntent] {
    do throws(StorageError) {
      let content = try storage.load(at: account.clock.now)
      for place in content.setAside {
        account.log(.error, "a post in the outbox cannot be read and is not sent; it was moved to \(place)")
      }
      return content.intents
    } catch { throw OperationError(error) }
  }

  package func check(
    _ draft: PostDraft, attaching files: [AttachedFile],
    completion: @escaping (Result<CheckedPost, OperationError>) -> Void
  ) {
    readRules(for: draft, attaching: files, requiresRight: true) { result in
      completion(
        result.flatMap { draft, provider, token, rules in
          rules.map { rules in
            CheckedPost(
              author: "@\(token.identity.user.screenName) at \(provider.server)", length: rules.length(of: draft))
          }
        })
    }
  }

  package func add(_ draft: PostDraft, attaching files: [AttachedFile], as id: IntentID?, waiter: PostWaiter) {
    do throws(OperationError) {
      // The files of a post that was published are gone, so the id is compared before they are opened.
      if let id, try joins(id, waiter) { return resume() }
    } catch { return waiter.end(.failure(error)) }
    expectAnswer(for: [waiter])
    // A post that the token does not allow is also stored, and waits for the user's login.
    readRules(for: draft, attaching: files, requiresRight: false) { result in
      do throws(OperationError) {
        let (draft, _, token, rules) = try result.get()
        // A post can be stored without the server's rules, because they are read again before the post is sent.
        if case .failure(let failure) = rules, !failure.isPassing { throw failure }
        try self.store(draft, as: id, by: token, waiter)
      } catch { return waiter.end(.failure(error)) }
      self.resume()
    }
  }

  private typealias Rules = Result<PostingRules, OperationError>

  /// Checks a post as far as possible, in a separate job.
  /// - Parameters:
  ///   - requiresRight: whether the token must allow the post.
  ///   - completion: called once, on the queue, with the post, the author and the rules, or with the reason the rules are unknown.
  private func readRules(
    for draft: PostDraft, attaching files: [AttachedFile], requiresRight: Bool,
    completion: @escaping (Result<(PostDraft, any PostingProvider, StoredToken, Rules), OperationError>) -> Void
  ) {
    var draft = draft
    let author: (any PostingProvider, StoredToken)
    let chosen: ChosenFiles
    do throws(OperationError) {
      author = try self.author(attachingFiles: !files.isEmpty, requiresRight: requiresRight)
      chosen = try ChosenFiles(files)
      draft.media = chosen.media
      if let objection = draft.objection(requiringAltText: account.settings.requiresAltText) {
        throw OperationError(.badContent, objection)
      }
      if let objection = author.0.objection(to: draft) { throw OperationError(.badContent, objection) }
      let cost = account.spending.cost(of: draft, describing: draft.descriptions)
      if let problem = (try? account.spending.objection(toPaying: cost)).flatMap({ $0 }) {
        throw OperationError(problem)
      }
    } catch { return completion(.failure(error)) }
    let (provider, token) = author
    account.accountQueue.enqueue(.userRefresh) {
      completion(.failure(.ending))
    } _: { context in
      PostAttempt(of: self.account, provider, token, context).readRules(self.knownRules) { result in
        context.end()
        if case .success(let rules) = result {
          self.note(rules)
          if let objection = rules.objection(to: draft) {
            return completion(
              .failure(OperationError(.badContent, objection, needsTrust: rules.doubt(about: draft) != nil)))
          }
        }
        do throws(OperationError) { draft.media = try chosen.examined() } catch { return completion(.failure(error)) }
        completion(.success((draft, provider, token, result)))
      }
    }
  }

  /// Lets a waiter learn about a post that is already in the outbox.
  /// - Returns: false if there is no such post.
  private func joins(_ id: IntentID, _ waiter: PostWaiter) throws(OperationError) -> Bool {
    guard !isClosed else { throw .ending }
    guard try intents().contains(where: { $0.id == id }) else { return false }
    waiting[id, default: []].append(waiter)
    return true
  }

  private func store(
    _ draft: PostDraft, as id: IntentID?, by token: StoredToken, _ waiter: PostWaiter
  ) throws(OperationError) {
    guard !isClosed else { throw .ending }
    // The same post may have been stored while this one was being checked.
    if let id, try joins(id, waiter) { return }
    let intents = try self.intents()
    if case .intent(let id) = draft.replyTo, !intents.contains(where: { $0.id == id }) { throw .noIntent(id) }
    var intent = PostIntent(
      draft, as: id, by: PostIntent.Author(server: token.identity.server, userID: token.identity.user.id),
      number: PostIntent.number(after: intents.map(\.number).max() ?? 0), at: account.clock.now, using: &generator)
    while intents.contains(where: { $0.id == intent.id }) {
      intent = PostIntent(draft, by: intent.author, number: intent.number, at: intent.createdAt, using: &generator)
    }
    try write(intent)
    waiting[intent.id, default: []].append(waiter)
  }

  package func retry(_ id: IntentID, isConfirmed: Bool, waiter: PostWaiter) {
    do throws(OperationError) {
      var intent = try intent(id)
      let cost = account.spending.cost(of: intent.draft, describing: intent.descriptionsOfRetry(at: account.clock.now))
      guard intent.retry(at: account.clock.now, using: &generator) else {
        throw OperationError(
          .badContent,
          intent.isPending
            ? "homeline is still checking whether \(id) was posted; it can be sent again after that"
            : "\(id) has already been posted")
      }
      guard isConfirmed || !account.settings.mustConfirm(cost) else { throw .unconfirmed(cost) }
      try write(intent)
      waiting[id, default: []].append(waiter)
    } catch { return waiter.end(.failure(error)) }
    resume()
  }

  package func discard(_ id: IntentID) throws(OperationError) -> PostIntent {
    let intent = try intent(id)
    do throws(StorageError) { try remove(id) } catch { throw OperationError(error) }
    if uploader.progress?.post == id.text { account.authority.providerClient.cancel() }
    // A reply may have been waiting for the outcome of the discarded post.
    resume()
    return intent
  }

  package func perform(
    _ action: PostAction, on id: String, completion: @escaping (Result<PostActionOutcome, OperationError>) -> Void
  ) {
    do throws(OperationError) {
      let (provider, token) = try author(for: action)
      PostActionJob.enqueue(action, on: id, of: account, provider, token) { result in
        if case .success = result { self.requestSucceeded() }
        completion(result)
      }
    } catch { completion(.failure(error)) }
  }

  private func intent(_ id: IntentID) throws(OperationError) -> PostIntent {
    guard let intent = try intents().first(where: { $0.id == id }) else { throw .noIntent(id) }
    return intent
  }

  /// Returns the author of the account's posts.
  /// - Parameter requiresRight: whether the token must allow the post or the action.
  func author(
    for action: PostAction? = nil, attachingFiles attachesFiles: Bool = false, requiresRight: Bool = true
  ) throws(OperationError) -> (any PostingProvider, StoredToken) {
    guard !isClosed, !account.isClosed else { throw .ending }
    let author = try PostAuthor(of: account, for: action, attachingFiles: attachesFiles)
    if requiresRight, let problem = author.problem { throw problem }
    return (author.provider, author.token)
  }

  func write(_ intent: PostIntent) throws(OperationError) {
    do throws(StorageError) { try storage.write(intent) } catch {
      throw OperationError(.inputOutput, "the post could not be stored in the outbox: \(error)")
    }
    account.core.shared.changes.report(.outbox(account.name))
  }

  private func remove(_ id: IntentID) throws(StorageError) {
    try storage.remove(id)
    account.core.shared.changes.report(.outbox(account.name))
  }

  // MARK: Sending

  package func resume() {
    guard !isClosed, !isEnqueued else { return }
    isEnqueued = true
    isWorking = true
    account.accountQueue.enqueue(waiting.isEmpty ? .schedule : .userRefresh) {
      self.isEnqueued = false
      self.tellOfEnd()
      self.rest()
    } _: { context in
      self.isEnqueued = false
      self.work(context)
    }
  }

  /// Sends the posts that waited for a login.
  package func loggedIn() {
    do throws(OperationError) {
      for intent in try intents() {
        var resumed = intent
        if resumed.resumeAfterLogin(at: account.clock.now) { try write(resumed) }
      }
    } catch { account.log(.error, error.message) }
    resume()
  }

  package func close() {
    isClosed = true
    alarm?.set(nil)
    alarm = nil
    if !isWorking { tellOfEnd() }
  }

  /// Immediately sends the posts that are waiting for the network or the server, unless the server specified a time.
  package func requestSucceeded() {
    hasNewSuccess = true
    // If no alarm is set, no post waits. A running job takes the success into account at its end.
    if alarm != nil { resume() }
  }

  package func whenResting(_ body: @escaping () -> Void) {
    if isWorking, !isClosed { whenResting.append(body) } else { body() }
  }

  /// Records that the job has ended and no other job follows.
  private func rest() {
    guard !isEnqueued else { return }
    isWorking = false
    let waiting = whenResting
    whenResting = []
    for body in waiting { body() }
  }

  /// Does everything that is due now, then ends the job.
  func work(_ context: JobContext) {
    guard !isClosed, !account.isClosed, account.accountQueue.isCurrent(context) else {
      context.end()
      tellOfEnd()
      return rest()
    }
    let now = account.clock.now
    do throws(OperationError) {
      let intents = try intentsAfterSuccess(at: now)
      do throws(StorageError) {
        for id in OutboxPlan.outdated(intents, at: now) { try remove(id) }
      } catch { account.log(.warning, "could not remove a published post from the outbox: \(error)") }
      switch OutboxPlan.next(of: intents, at: now) {
      case .send(let intent, let replyTo): send(intent, replyTo: replyTo, context)
      case .lookUp(let intent): lookUp(intent, among: intents, context)
      case .refuse(var intent, let reason):
        intent.refuse(reason, at: now)
        try write(intent)
        work(context)
      case .wait(let until):
        context.end()
        wake(at: until)
        tellOfWait(among: intents, at: now)
        rest()
      case .idle:
        context.end()
        alarm = nil
        tellOfWait(among: intents, at: now)
        rest()
      }
    } catch { fail(error, context) }
  }

  /// Returns the intents. If another request by the account has succeeded, the pauses that wait for this are over.
  private func intentsAfterSuccess(at now: Timestamp) throws(OperationError) -> [PostIntent] {
    var intents = try self.intents()
    guard hasNewSuccess else { return intents }
    hasNewSuccess = false
    for index in intents.indices where intents[index].endPauseEarly(at: now) { try write(intents[index]) }
    return intents
  }

  private func send(_ intent: PostIntent, replyTo: String?, _ context: JobContext) {
    expectAnswer(for: waiting.values.joined())
    var intent = intent
    let attempt: PostAttempt
    do throws(OperationError) {
      let (provider, token) = try author(attachingFiles: !intent.draft.media.isEmpty)
      guard intent.isBy(token.identity) else {
        return try refuse(&intent, Self.otherAuthor, context)
      }
      attempt = PostAttempt(of: account, provider, token, context)
    } catch {
      // Nothing can be sent before the user logs in or corrects the configuration.
      return postpone(&intent, error, context)
    }
    if case .sending(let former) = intent.state {
      intent.begin(settling: former.settlement, replyTo: former.replyTo, at: account.clock.now)
      return transmit(intent, by: attempt, context)
    }
    attempt.readRules(knownRules) { result in
      do throws(OperationError) {
        let rules = try result.get()
        self.note(rules)
        if let objection = rules.objection(to: intent.draft) { return self.end(&intent, refusing: objection, context) }
        if self.uploads(intent, rules, by: attempt, context) { return }
        attempt.checkReplyTarget(replyTo, rules) { result in
          switch result {
          case .success: self.sendNow(intent, rules, replyTo: replyTo, by: attempt, context)
          case .failure(let failure) where failure.kind == .badContent:
            self.end(&intent, refusing: failure.message, context)
          case .failure(let failure): self.postpone(&intent, failure, context)
          }
        }
      } catch { self.postpone(&intent, error, context) }
    }
  }

  /// Reads the user's posts, so that the new post can be recognised later, and then sends it.
  private func sendNow(
    _ intent: PostIntent, _ rules: PostingRules, replyTo: String?, by attempt: PostAttempt, _ context: JobContext
  ) {
    var intent = intent
    attempt.readOwnPosts { result in
      switch result {
      case .failure(let failure) where failure.isPassing || failure.kind == .notAuthorised:
        self.postpone(&intent, failure, context)
      case .failure, .success:
        let known = (try? result.get()).flatMap { $0 }.map { Set($0.map(\.id)) }
        intent.begin(
          settling: rules.settlement(knownBefore: known), replyTo: replyTo, at: self.account.clock.now)
        self.transmit(intent, by: attempt, context)
      }
    }
  }

  /// Stores the intent, then sends it.
  private func transmit(_ intent: PostIntent, by attempt: PostAttempt, _ context: JobContext) {
    guard account.accountQueue.isCurrent(context) else { return work(context) }
    let claimed: Set<String>
    do throws(OperationError) {
      try write(intent)
      claimed = PostIntent.claimed(among: try intents(), exceptBy: intent.id)
    } catch { return fail(error, context) }
    // A request that publishes a post contains at most one file.
    attempt.post(intent, claimed: claimed) { (form) throws(OperationError) in
      let file = try self.uploader.file(of: form, from: intent.draft.media[0])
      self.uploader.begin(intent, file: 0, sending: form.range.count)
      return file
    } completion: { response in
      self.uploader.end()
      self.uploader.close()
      var intent = intent
      intent.end(response.result, at: self.account.clock.now, using: &self.generator)
      self.hasNewSuccess = intent.isPosted
      self.log(intent)
      // If this write fails, the stored state still says that the outcome is unknown.
      do throws(OperationError) { try self.write(intent) } catch { return self.fail(error, context) }
      if let entry = response.entry { self.account.storeOwnPost(entry) }
      self.work(context)
    }
  }

  func end(_ intent: inout PostIntent, refusing reason: String, _ context: JobContext) {
    do throws(OperationError) { try refuse(&intent, reason, context) } catch { fail(error, context) }
  }

  private func refuse(_ intent: inout PostIntent, _ reason: String, _ context: JobContext) throws(OperationError) {
    uploader.close()
    guard intent.isUnsent else {
      intent.giveUp(reason, at: account.clock.now)
      try write(intent)
      return work(context)
    }
    intent.refuse(reason, at: account.clock.now)
    try write(intent)
    work(context)
  }

  /// Postpones a post that could not be sent.
  func postpone(_ intent: inout PostIntent, _ failure: OperationError, _ context: JobContext) {
    if account.isClosed || isClosed { return work(context) }
    let now = account.clock.now
    uploader.close()
    switch intent.state {
    case .queued, .uploading:
      if failure.kind == .notAuthorised {
        intent.awaitLogin(failure.message, at: now)
      } else {
        intent.postpone(failure.message, until: failure.retryAt, at: now)
      }
    default: intent.end(.failed(failure.message, until: failure.retryAt), at: now)
    }
    hasNewSuccess = false
    account.log(.info, "\(intent.id) waits: \(failure.message)")
    do throws(OperationError) { try write(intent) } catch { return fail(error, context) }
    work(context)
  }

  /// Ends the job because the outbox cannot be read or written. Another attempt follows.
  func fail(_ failure: OperationError, _ context: JobContext) {
    account.log(.error, failure.message)
    context.end()
    wake(at: account.clock.now + .seconds(60))
    endWaiting(
      with: OperationError(failure.kind, "\(failure.message). The post is in the outbox; see homeline outbox"))
    rest()
  }

  private func wake(at moment: Timestamp) {
    guard !isClosed else { return }
    if alarm == nil { alarm = try? Alarm(on: account.queue) { [weak self] in self?.resume() } }
    // The clock may be set in the meantime, so long waits are divided into shorter ones.
    alarm?.set(.now + min(max(moment - account.clock.now, .milliseconds(10)), .seconds(3600)))
  }

  // MARK: Reports

  private var knownRules: PostingRules? {
    guard let rules, account.clock.now - rules.at < Self.rulesLifetime, account.clock.now >= rules.at else {
      return nil
    }
    return rules.rules
  }

  private func note(_ rules: PostingRules) { if knownRules != rules { self.rules = (rules, account.clock.now) } }

  func log(_ intent: PostIntent) { account.logState(of: intent, isAwaited: waiting[intent.id] != nil) }
}

extension OperationError {
  fileprivate static let ending = OperationError(.tryAgain(at: nil), "the program is shutting down; try again")

  static func noIntent(_ id: IntentID) -> OperationError {
    OperationError(.badContent, "there is no post \(id) in the outbox; homeline outbox lists them")
  }
}
