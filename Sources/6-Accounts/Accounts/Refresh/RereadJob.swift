internal import HTTPClient
internal import Platform
internal import Providers
internal import PublishedFiles
internal import Scheduling
internal import Storage
internal import Time
internal import Timeline

/// Rereads the newest page within a refresh job, without a lower bound, because only this reveals edits and deletions of known posts. Posts
/// missing from the page are then requested one by one.
///
/// If the refresh was full of new posts, the page contains the newest of them. The posts between the two pages are then an ordinary gap: it
/// is published, survives the process, and is filled from above.
///
/// A failure of this job does not make the refresh fail.
final class RereadJob {
  private let account: Account
  private let timeline: AccountTimeline
  private let context: JobContext
  private let authority: RequestAuthority
  private let userID: String?
  private let completion: (Int?) -> Void
  /// The number of new posts.
  private var new = 0

  /// The number of requests in a rate-limit window to leave to other jobs.
  private static let requestsLeftOver = 2

  /// Returns whether the newest page should be reread now. It should not if requests cost money, or if only a few requests are left in a
  /// rate-limit window. Call once per refresh.
  /// - Parameter isAwaited: whether a user is waiting for the refresh.
  package static func isDue(for timeline: AccountTimeline, in account: Account, isAwaited: Bool) -> Bool {
    guard let every = timeline.traits.rereadEvery, !account.spending.countsSpending else { return false }
    let count = timeline.refreshesSinceReread.map { $0 + 1 }
    let isDue = isAwaited || timeline.plan.isBehind || count.map { $0 >= every } ?? true
    guard isDue, hasRequestsLeft(timeline) else {
      timeline.refreshesSinceReread = count ?? every
      return false
    }
    timeline.refreshesSinceReread = 0
    return true
  }

  /// Begins rereading. Call on the account's queue.
  /// - Parameter completion: called on the queue with the number of new posts; with `nil` if the job was cancelled.
  package static func begin(
    of timeline: AccountTimeline, in account: Account, _ context: JobContext, _ authority: RequestAuthority,
    userID: String?,
    completion: @escaping (Int?) -> Void
  ) {
    RereadJob(timeline, account, context, authority, userID, completion).readPage()
  }

  private init(
    _ timeline: AccountTimeline, _ account: Account, _ context: JobContext, _ authority: RequestAuthority,
    _ userID: String?,
    _ completion: @escaping (Int?) -> Void
  ) {
    self.account = account
    self.timeline = timeline
    self.context = context
    self.authority = authority
    self.userID = userID
    self.completion = completion
  }

  private static func hasRequestsLeft(_ timeline: AccountTimeline) -> Bool {
    timeline.limit(in: timeline.store.knownState, at: timeline.core.clock.now).map { $0.remaining > requestsLeftOver }
      ?? true
  }

  // MARK: The page

  private func readPage() {
    let query = TimelineQuery(
      timeline.name, userID: userID, count: timeline.traits.pageSize,
      filters: timeline.filterScope(at: account.authority.providerClient.serverNow))
    send(account.provider.pageRequest(for: query)) { response in
      let note = self.noting(response)
      do {
        guard let response, case .page(let fetched) = try self.account.provider.page(from: response, for: query) else {
          try self.account.store.update(note)
          return self.completion(self.new)
        }
        self.check(try self.take(fetched.page, note)[...])
      } catch {
        self.account.log(.debug, "the newest page could not be read again: \(error)")
        try? self.account.store.update(note)
        self.completion(self.new)
      }
    }
  }

  /// Stores the page.
  /// - Returns: the posts to request from the server.
  private func take(_ page: Page, _ note: (inout AccountState) -> Void) throws(StorageError) -> [PostPosition] {
    let now = account.clock.now
    let posts = try timeline.storePage(page, as: .head, note)
    timeline.plan.tookNewestWithoutBound()
    timeline.announce(posts, isFirst: false)
    new = posts.count
    return try account.store.write { (database, revision) throws(StorageError) in
      try database.postsToCheck(of: timeline.name, missingFrom: page, at: now, expecting: revision)
    }
  }

  // MARK: Missing posts

  /// Requests the posts one by one, until a response does not show whether the post exists.
  private func check(_ posts: ArraySlice<PostPosition>) {
    guard let post = posts.first, Self.hasRequestsLeft(timeline) else { return completion(new) }
    guard let request = account.provider.postRequest(for: post.id) else { return check(posts.dropFirst()) }
    send(request) { response in
      let presence = response.map { self.account.provider.presence(of: post.id, from: $0) } ?? .unknown
      let note = self.noting(response)
      do throws(StorageError) {
        let isHidden = try self.timeline.storePresence(presence, of: post, note)
        if isHidden { self.account.log(.debug, "the post \(post.id) was deleted at its server and is hidden") }
      } catch {
        self.account.log(.debug, "the server's response about the post \(post.id) could not be stored: \(error)")
        try? self.account.store.update(note)
        return self.completion(self.new)
      }
      if presence == .unknown { self.completion(self.new) } else { self.check(posts.dropFirst()) }
    }
  }

  // MARK: Requests

  /// Sends a request within the job.
  /// - Parameter take: receives the response; `nil` if there was none.
  private func send(_ request: ClientRequest, _ take: @escaping (ProviderResponse?) -> Void) {
    do throws(StorageError) { try account.store.beginRequest() } catch { return completion(new) }
    let (providerClient, authority) = (account.authority.providerClient, authority)
    context.onCancel { providerClient.cancel() }
    providerClient.call(with: authority.secrets, { try authority.authorised(request, nonceTimestamp: $0) }) { result in
      guard !self.timeline.hasEnded, self.account.accountQueue.isCurrent(self.context) else {
        return self.completion(nil)
      }
      take(try? result.get())
    }
  }

  /// Returns how a response changes the account's state.
  private func noting(_ response: ProviderResponse?) -> (inout AccountState) -> Void {
    let now = account.clock.now
    let stated = response.flatMap { account.provider.rateLimit(from: $0) }
    return { state in
      state.askedAt = now
      self.timeline.note(stated, requests: 1, in: &state, at: now)
    }
  }
}
