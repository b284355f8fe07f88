internal import HTTPClient
internal import Providers
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Asks an account's server which timelines it offers: the user's lists, the hashtags that the user follows, and each kind of timeline, by a
/// request for one entry. The requests are sent one after the other, under the same limits as refreshes.
package final class OffersJob {
  let account: Account
  let catalogue: any TimelineCatalogue
  let context: JobContext
  private let completion: (Result<[TimelineOffer], OperationError>) -> Void
  /// The right to send requests; `nil` until it is provided.
  var authority: (authority: RequestAuthority, token: StoredToken)?
  /// Whether the server has accepted the token for the home timeline in this job.
  var homeIsAccepted = false
  /// Whether the token was renewed in this job because the server refused it.
  var hasRenewed = false
  /// The reason no further requests are sent; `nil` if there is none.
  var obstacle: OperationError?
  private var lists: Names<ServerList>?
  private var tags: Names<String>?
  private var kinds: [TimelineName.Kind: OfferAnswer] = [:]
  /// The answers by the URLs that were requested, without their queries: some kinds are parts of the same timeline.
  private var answers: [String: OfferAnswer] = [:]

  /// The names of timelines that the server has listed, or its answer if it has not.
  enum Names<Name> {
    /// - Parameter rest: the server's answer about the names on later pages, if it has not listed these.
    case listed([Name], rest: OfferAnswer? = nil)
    case refused(OfferAnswer)
  }

  /// The maximum number of pages of followed hashtags. A page of Mastodon contains 200.
  private static let mostPages = 5

  /// Adds the job to the account's queue. Call on the account's queue.
  /// - Parameter completion: called once, on that queue; receives a failure if nothing could be asked.
  package static func enqueue(
    of account: Account, completion: @escaping (Result<[TimelineOffer], OperationError>) -> Void
  ) {
    guard let catalogue = account.provider as? any TimelineCatalogue, !kinds(of: catalogue, account).isEmpty else {
      // The provider's only timeline needs no request.
      return completion(.success([TimelineOffer(.timeline(.home), configured: .home)]))
    }
    account.accountQueue.enqueue(.userRefresh) {
      completion(.failure(interruption))
    } _: { context in
      OffersJob(of: account, catalogue, context) { result in
        if !account.isClosed { account.store.storeNotes() }
        context.end()
        completion(result)
      }.start()
    }
  }

  private init(
    of account: Account, _ catalogue: any TimelineCatalogue, _ context: JobContext,
    completion: @escaping (Result<[TimelineOffer], OperationError>) -> Void
  ) {
    self.account = account
    self.catalogue = catalogue
    self.context = context
    self.completion = completion
  }

  static var interruption: OperationError {
    OperationError(
      .tryAgain(at: nil), "the account was changed or homeline is shutting down; try again", wasSent: false)
  }

  /// Returns the kinds of timelines that the provider offers besides home.
  private static func kinds(of catalogue: any TimelineCatalogue, _ account: Account) -> [TimelineName.Kind] {
    TimelineName.Kind.allCases.filter { $0 != .home && catalogue.traits(of: sample(of: $0, account)) != nil }
  }

  private func start() {
    if account.isClosed { return fail(Self.interruption) }
    do {
      try account.store.reopenIfMoved()
      guard let token = try account.authority.loadToken() else {
        return fail(OperationError(.notAuthorisedYet(account.name)))
      }
      account.authority.provide(for: token, isAwaited: true) { self.begin($0) { self.askForLists() } }
    } catch let failure as OperationError {
      fail(failure)
    } catch let error as StorageError {
      fail(OperationError(error))
    } catch { fail(OperationError(.inputOutput, "\(error)")) }
  }

  /// Continues with the authority for requests, or ends the job if there is none.
  func begin(_ result: AuthorityResult, then next: @escaping () -> Void) {
    guard isCurrent else { return fail(Self.interruption) }
    switch result {
    case .success(let (authority, token)):
      self.authority = (authority, token)
      next()
    case .failure(.problem(let problem)):
      let problem = problem.withLoginHint(for: account.name)
      account.noteToken(problem)
      fail(OperationError(problem))
    case .failure(.failure(let failure)): fail(failure)
    }
  }

  /// Whether the account is open and its responses still apply to it.
  var isCurrent: Bool { !account.isClosed && account.accountQueue.isCurrent(context) }

  func fail(_ failure: OperationError) { completion(.failure(failure)) }

  // MARK: The questions

  private func askForLists() {
    guard let request = catalogue.listsRequest() else { return askForTags() }
    ask(request, about: .list) { (response) throws(ProviderFailure) in
      self.lists = .listed(try self.catalogue.lists(from: response))
    } then: { answer in
      if let answer { self.lists = .refused(answer) }
      self.askForTags()
    }
  }

  /// - Parameters:
  ///   - cursor: the end of the previous page; `nil` for the first page.
  ///   - known: the hashtags on the pages above.
  private func askForTags(after cursor: String? = nil, known: [String] = [], page: Int = 1) {
    guard let request = catalogue.followedTagsRequest(after: cursor) else { return askForKinds() }
    var found = FollowedTags()
    ask(request, about: nil) { (response) throws(ProviderFailure) in
      found = try self.catalogue.followedTags(from: response)
    } then: { answer in
      if let answer {
        self.tags = known.isEmpty ? .refused(answer) : .listed(known, rest: answer)
        return self.askForKinds()
      }
      let new = found.names.filter { !known.contains($0) }
      self.tags = .listed(known + new)
      guard let next = found.next, !new.isEmpty, page < Self.mostPages else { return self.askForKinds() }
      self.askForTags(after: next, known: known + new, page: page + 1)
    }
  }

  private func askForKinds() {
    // The server's response about the user's lists also shows whether it has timelines of lists.
    let kinds = Self.kinds(of: catalogue, account).filter { $0 != .list }
    ask(about: kinds[...])
  }

  private func ask(about kinds: ArraySlice<TimelineName.Kind>) {
    guard let kind = kinds.first else { return succeed() }
    let query = TimelineQuery(
      sample(of: kind), reference: userID, userID: userID, count: 1, time: account.authority.providerClient.serverNow)
    let request = catalogue.pageRequest(for: query)
    let address = String(request.url.prefix { $0 != "?" })
    let note: (OfferAnswer) -> Void = { answer in
      self.kinds[kind] = answer
      self.answers[address] = answer
      self.ask(about: kinds.dropFirst())
    }
    if let answer = answers[address] {
      return note(answer.state == .notPermitted && answer.scope != nil ? withoutPermission(kind) : answer)
    }
    var isEmpty = true
    ask(request, about: kind) { (response) throws(ProviderFailure) in
      if case .page(let fetched) = try self.catalogue.page(from: response, for: query) {
        isEmpty = fetched.page.entries.isEmpty
      }
    } then: { answer in
      if let answer { return note(answer) }
      FeedAccessReader.read(for: kind, in: self.account, self.context) { access in
        guard self.isCurrent else { return self.fail(Self.interruption) }
        note(Self.answer(access, isEmpty: isEmpty, self.account.provider.serverName))
      }
    }
  }

  /// Returns the answer for a kind that the server sends. A timeline with posts is not switched off for the user.
  private static func answer(_ access: FeedAccess?, isEmpty: Bool, _ server: String) -> OfferAnswer {
    switch access {
    case .off where isEmpty: OfferAnswer(state: .switchedOff, message: FeedAccess.off.sentence(on: server))
    case nil, .off?: .offered
    case let access?: OfferAnswer(state: .offered, message: access.sentence(on: server))
    }
  }

  private func succeed() {
    if let obstacle, kinds.values.allSatisfy({ $0.state == .unknown }), isUnanswered(lists), isUnanswered(tags) {
      return fail(obstacle)
    }
    let rows = OfferRows(settings: account.settings, kinds: kinds, lists: lists, tags: tags)
    completion(.success(rows.all))
  }

  private func isUnanswered<Name>(_ names: Names<Name>?) -> Bool {
    guard case .refused(let answer)? = names else { return names == nil }
    return answer.state == .unknown
  }

  // MARK: Samples

  /// The user's id, which the address of the user's own posts contains.
  private var userID: String? { authority?.token.identity.user.id }

  private func sample(of kind: TimelineName.Kind) -> TimelineName {
    if kind == .tag, case .listed(let names, _)? = tags,
      let followed = names.lazy.compactMap({ try? TimelineName(.tag, $0) }).first
    {
      return followed
    }
    return Self.sample(of: kind, account, authority?.token.identity.user.screenName)
  }

  /// Returns a timeline of a kind to ask for: one in the settings or else, for users, the user's own and, for hashtags, any.
  /// - Parameter user: the user's name, if it is known.
  private static func sample(of kind: TimelineName.Kind, _ account: Account, _ user: String? = nil) -> TimelineName {
    let configured = account.settings.timelines.first { $0.kind == kind && kind != .user }
    let text =
      switch kind {
      case .home, .notifications, .mentions, .bookmarks, .likes: kind.rawValue
      case .list: "list:1"
      case .tag: "tag:fediverse"
      case .user: "user:@\(user ?? "user")"
      }
    return configured ?? (try? TimelineName(text)) ?? .home
  }
}
