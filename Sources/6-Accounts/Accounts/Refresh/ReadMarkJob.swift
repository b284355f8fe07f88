internal import HTTPClient
internal import Platform
internal import Providers
internal import PublishedFiles
internal import Scheduling
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Shares an account's read marks with the user's other clients within a refresh job: moves its own marks forwards to the server's, and then
/// the server's forwards to its own. No mark ever moves backwards.
///
/// If another client sets a mark at the same time, the marks are read again, and a mark that is still ahead is set with a later refresh. A
/// failure of this job does not make the refresh fail.
final class ReadMarkJob {
  private let timeline: AccountTimeline
  private let account: Account
  private let provider: any ReadMarkProvider
  private let context: JobContext
  private let authority: RequestAuthority
  private let token: StoredToken?
  /// The account's timelines that have a read mark on the server.
  private let marked: [AccountTimeline]
  private var completion: (Bool) -> Void = { _ in }

  private var sync: ReadMarkSync { account.readMarks }

  /// The number of requests in a rate-limit window to leave to other jobs.
  private static let requestsLeftOver = 2

  /// - Parameters:
  ///   - timeline: the timeline that the job has refreshed.
  ///   - authority: the authority of its request.
  /// - Returns: `nil` unless the account shares the timeline's read mark.
  init?(
    after timeline: AccountTimeline, in account: Account, _ context: JobContext, _ authority: RequestAuthority
  ) {
    guard account.settings.syncsMarks, let provider = account.provider as? any ReadMarkProvider,
      provider.kindsWithReadMark.contains(timeline.name.kind)
    else { return nil }
    self.timeline = timeline
    self.account = account
    self.provider = provider
    self.context = context
    self.authority = authority
    token = try? account.authority.loadToken()
    marked = account.timelines.values.filter { provider.kindsWithReadMark.contains($0.name.kind) }
  }

  /// Begins. Call on the account's queue.
  /// - Parameters:
  ///   - isAwaited: whether a user is waiting for the refresh.
  ///   - completion: called on the queue with whether the job is still current.
  func start(isAwaited: Bool, completion: @escaping (Bool) -> Void) {
    self.completion = completion
    let missing = ReadMarkPermission(
      missingFor: account.settings, token, wasRefused: sync.hasRefused(token?.grant.bearer))
    note(missing)
    guard hasRequestsLeft, sync.mayRead(isAwaited: isAwaited, at: account.clock.now) else { return completion(true) }
    read(maySet: missing == nil)
  }

  private var hasRequestsLeft: Bool {
    timeline.limit(in: account.store.knownState, at: account.clock.now).map { $0.remaining > Self.requestsLeftOver }
      ?? true
  }

  // MARK: Reading

  /// - Parameter maySet: whether marks that are ahead of the server's may then be set.
  private func read(maySet: Bool) {
    send(provider.readMarksRequest(of: marked.map(\.name.kind))) { response in
      let marks: [SharedReadMark]
      do throws(ProviderFailure) { marks = try self.provider.readMarks(from: response) } catch {
        return self.end(error, response)
      }
      self.sync.wereRead()
      do throws(StorageError) {
        let ahead = try self.compare(with: marks, response)
        guard maySet, !ahead.isEmpty, self.hasRequestsLeft,
          self.sync.maySet(after: marks.compactMap(\.setAt).max(), at: self.account.clock.now)
        else { return self.completion(true) }
        self.set(ahead)
      } catch {
        self.account.log(.debug, "the read marks could not be stored: \(error)")
        self.completion(true)
      }
    }
  }

  /// Moves the account's marks forwards to the server's.
  /// - Returns: the account's marks that are ahead of the server's.
  private func compare(
    with marks: [SharedReadMark], _ response: ProviderResponse
  ) throws(StorageError) -> [TimelineName.Kind: PostID] {
    let state = try account.store.state()
    var ahead: [TimelineName.Kind: PostID] = [:]
    var moved: [TimelineName: PostPosition] = [:]
    for timeline in marked {
      let own = state[timeline.name].readUpTo
      let shared = marks.first { $0.kind == timeline.name.kind }
      let position = try shared.flatMap { mark throws(StorageError) in try self.position(of: mark, in: timeline.name) }
      if let position, own.map({ $0 < position }) ?? true {
        moved[timeline.name] = position
      } else if let own, position.map({ $0 < own }) ?? (shared == nil) {
        ahead[timeline.name.kind] = own.id
      }
    }
    let note = noting(response)
    if moved.isEmpty {
      account.store.noteQuietly(note)
    } else {
      try account.store.update { state in
        note(&state)
        for (timeline, position) in moved { state[timeline].readUpTo = position }
      }
      for timeline in marked where moved[timeline.name] != nil && timeline !== self.timeline {
        timeline.publisher.publish()
      }
    }
    return ahead
  }

  /// Returns the position of the server's mark, or of the newest known entry if the mark is above it: a wrong mark must not make future
  /// posts read.
  /// - Returns: `nil` if the position is unknown.
  private func position(of mark: SharedReadMark, in timeline: TimelineName) throws(StorageError) -> PostPosition? {
    let database = account.store.database
    guard let newest = try database.posts(of: timeline, below: nil, atMost: 1).first?.mark,
      let position = try database.positions(of: mark.id, in: timeline).first ?? provider.position(ofReadMark: mark.id)
    else { return nil }
    return min(position, newest)
  }

  // MARK: Setting

  private func set(_ marks: [TimelineName.Kind: PostID]) {
    send(provider.request(toSet: marks)) { response in
      if self.provider.isConflict(response) {
        self.account.store.noteQuietly(self.noting(response))
        return self.hasRequestsLeft ? self.read(maySet: false) : self.completion(true)
      }
      do throws(ProviderFailure) {
        _ = try self.provider.readMarks(from: response)
        self.account.store.noteQuietly(self.noting(response))
        self.completion(true)
      } catch {
        guard self.provider.missingScope(in: response) != nil else { return self.end(error, response) }
        self.sync.wasRefused(self.token?.grant.bearer)
        self.note(ReadMarkPermission(missingFor: self.account.settings, self.token, wasRefused: true))
        self.account.store.noteQuietly(self.noting(response))
        self.completion(true)
      }
    }
  }

  private func note(_ missing: ReadMarkPermission?) {
    sync.note(missing.map { "\($0.problem), so sync_marks only reads them. \($0.advice)" })
  }

  // MARK: Requests

  /// Ends the job after a response without marks.
  private func end(_ failure: ProviderFailure, _ response: ProviderResponse) {
    switch failure {
    case .closed, .unreadable, .refused, .configuration: sync.areNotKept(at: account.clock.now)
    case .needsLogin, .rateLimited, .paused, .transient, .locked, .sinceRefused, .clock, .nonceUsed: break
    }
    account.log(.debug, "the read marks could not be shared: \(failure)")
    account.store.noteQuietly(noting(response))
    completion(true)
  }

  /// Sends a request within the job.
  /// - Parameter take: receives the response; not called if there is none.
  private func send(_ request: ClientRequest, _ take: @escaping (ProviderResponse) -> Void) {
    do throws(StorageError) { try account.store.beginRequest() } catch { return completion(true) }
    let (providerClient, authority) = (account.authority.providerClient, authority)
    context.onCancel { providerClient.cancel() }
    providerClient.call(with: authority.secrets, { try authority.authorised(request, nonceTimestamp: $0) }) { result in
      guard !self.timeline.hasEnded, self.account.accountQueue.isCurrent(self.context) else {
        return self.completion(false)
      }
      if case .success(let response) = result { return take(response) }
      self.account.store.noteQuietly(self.noting(nil))
      self.completion(true)
    }
  }

  /// Returns how a request changes the account's state.
  private func noting(_ response: ProviderResponse?) -> (inout AccountState) -> Void {
    let now = account.clock.now
    let stated = response.flatMap { account.provider.rateLimit(from: $0) }
    let isLimited = response.map { $0.status == 429 } ?? false
    return { state in
      state.askedAt = now
      self.timeline.note(stated, isRefusal: isLimited, requests: 1, in: &state, at: now)
    }
  }
}
