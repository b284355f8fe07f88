internal import Platform
internal import Storage
internal import StorageSQLite
internal import Time
internal import Timeline

/// An open timeline in memory. Its state and spending are values, and its posts are in a database that one caller uses at a time.
final class MemoryAccountStorage: AccountStorage {
  private let memory: MemoryTimeline
  private let database: AccountDatabase

  init(_ memory: MemoryTimeline, posts database: AccountDatabase) {
    self.memory = memory
    self.database = database
  }

  let hasArchive = true
  let damage: StorageDamage? = nil
  var location: String { "memory" }
  var isInPlace: Bool { !memory.isTemporary }
  var isTemporary: Bool { memory.isTemporary }
  var observer: (any PostObserver)? {
    get { database.observer }
    set { database.observer = newValue }
  }

  // MARK: Revisions and faults

  func revision() throws(StorageError) -> Revision { Revision(memory.revision.withLock { $0 }) }

  /// Performs a write, unless the storage refuses it or a test makes it fail.
  private func write<Value>(
    expecting expected: Revision, _ body: () throws(StorageError) -> Value
  ) throws(StorageError) -> Written<Value> {
    try memory.revision.withLock { revision throws(StorageError) in
      guard Revision(revision) == expected else {
        throw StorageError(.outdated, "\(location): another process has written to it")
      }
      let fault = memory.faults.withLock { faults in
        faults.count -= 1
        return faults.count >= 0 ? faults.kind : nil
      }
      if let fault { throw StorageError(fault, "\(location): the test made this write fail") }
      let value = try body()
      revision += 1
      return Written(value, Revision(revision))
    }
  }

  /// Reads from the database while no write is in progress.
  private func reading<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
    try memory.revision.withLock { _ throws(StorageError) in try body() }
  }

  // MARK: State and spending

  func state() throws(StorageError) -> AccountState { memory.state.withLock { $0 } }

  private func replaceState(by state: AccountState?) {
    if let state { memory.state.withLock { $0 = state } }
  }

  func write(_ state: AccountState, expecting revision: Revision) throws(StorageError) -> Revision {
    try write(expecting: revision) { () throws(StorageError) in
      // The database needs to know the earliest publication time of the posts to store.
      _ = try database.write(state, expecting: database.revision())
      replaceState(by: state)
    }.revision
  }

  func spending() throws(StorageError) -> SpendingRecord { memory.ledger.withLock { $0.record } }

  func reserve(
    posts: Int, microUSD: Int64, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Reservation> {
    try write(expecting: revision) { () throws(StorageError) in
      memory.ledger.withLock { $0.reserve(posts: posts, microUSD: microUSD, at: now) }
    }
  }

  func settle(_ settlement: Settlement, expecting revision: Revision) throws(StorageError) -> Revision {
    try write(expecting: revision) { () throws(StorageError) in memory.ledger.withLock { $0.settle(settlement) } }
      .revision
  }

  func adopt(_ record: SpendingRecord, expecting revision: Revision) throws(StorageError) -> Revision {
    if record.days.isEmpty { return revision }
    return try write(expecting: revision) { () throws(StorageError) in memory.ledger.withLock { $0.adopt(record) } }
      .revision
  }

  // MARK: Posts

  func insert(_ page: PageWrite, expecting revision: Revision) throws(StorageError) -> Written<StoredPage> {
    try write(expecting: revision) { () throws(StorageError) in
      // This store keeps the cost itself, and a change in the cost alone does not require the state to be written.
      let posts = PageWrite(
        page.page, of: page.timeline, as: page.place, receivedAt: page.receivedAt, keeping: page.retention,
        state: page.state,
        defersQuietState: page.defersQuietState && page.settlement == nil, keepsFiltered: page.keepsFiltered,
        walked: page.walked)
      let stored = try database.insert(posts, expecting: database.revision()).value
      if let settlement = page.settlement { memory.ledger.withLock { $0.settle(settlement) } }
      if !stored.isStateDeferred { replaceState(by: page.state) }
      return stored
    }
  }

  func postsToCheck(
    of timeline: TimelineName, missingFrom page: Page, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<[PostPosition]> {
    try write(expecting: revision) { () throws(StorageError) in
      try database.postsToCheck(
        of: timeline, missingFrom: page, at: now, expecting: database.revision()
      ).value
    }
  }

  func note(
    _ presence: PostPresence, of mark: PostPosition, at now: Timestamp, keeping retention: Retention,
    state: AccountState?,
    expecting revision: Revision
  ) throws(StorageError) -> Written<Bool> {
    try write(expecting: revision) { () throws(StorageError) in
      let isHidden = try database.note(
        presence, of: mark, at: now, keeping: retention, state: state, expecting: database.revision()
      ).value
      replaceState(by: state)
      return isHidden
    }
  }

  func importPosts(
    _ posts: [ImportedPost], at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Int> {
    try write(expecting: revision) { () throws(StorageError) in
      try database.importPosts(posts, at: now, expecting: database.revision()).value
    }
  }

  func begin(_ purge: Purge, at now: Timestamp, expecting revision: Revision) throws(StorageError) -> Written<PurgeRun>
  {
    try write(expecting: revision) { () throws(StorageError) in
      let run = try database.begin(purge, at: now, expecting: database.revision()).value
      let keepsFrom = try database.state().keepsFrom
      memory.state.withLock { $0.keepsFrom = keepsFrom }
      return run
    }
  }

  func continuePurge(_ run: PurgeRun, at now: Timestamp, expecting revision: Revision) throws(StorageError) -> Written<
    PurgeRun
  > {
    try write(expecting: revision) { () throws(StorageError) in
      try database.continuePurge(run, at: now, expecting: database.revision()).value
    }
  }

  func unfinishedPurges() throws(StorageError) -> [PurgeRun] {
    try reading { () throws(StorageError) in try database.unfinishedPurges() }
  }

  func count(of purge: Purge) throws(StorageError) -> Purged {
    try reading { () throws(StorageError) in try database.count(of: purge) }
  }

  // MARK: Reading posts

  func spans(of timeline: TimelineName) throws(StorageError) -> Spans {
    try reading { () throws(StorageError) in try database.spans(of: timeline) }
  }

  func sincePosition(of timeline: TimelineName, overlap: Duration) throws(StorageError) -> PostPosition? {
    try reading { () throws(StorageError) in try database.sincePosition(of: timeline, overlap: overlap) }
  }

  func overlapPosition(
    of timeline: TimelineName, below gap: Gap, overlap: Duration
  ) throws(StorageError) -> PostPosition? {
    try reading { () throws(StorageError) in try database.overlapPosition(of: timeline, below: gap, overlap: overlap) }
  }

  func countOfFetchedPosts(of timeline: TimelineName, upTo limit: Int) throws(StorageError) -> Int {
    try reading { () throws(StorageError) in try database.countOfFetchedPosts(of: timeline, upTo: limit) }
  }

  func countOfPosts(
    of timeline: TimelineName, above cursor: PageCursor, upTo limit: Int
  ) throws(StorageError) -> Int {
    try reading { () throws(StorageError) in try database.countOfPosts(of: timeline, above: cursor, upTo: limit) }
  }

  func countOfPosts(of timeline: TimelineName, above key: PostKey, upTo limit: Int) throws(StorageError) -> Int {
    try reading { () throws(StorageError) in try database.countOfPosts(of: timeline, above: key, upTo: limit) }
  }

  func positions(of id: PostID, in timeline: TimelineName?) throws(StorageError) -> [PostPosition] {
    try reading { () throws(StorageError) in try database.positions(of: id, in: timeline) }
  }

  func storedIDs(of page: Page, in timeline: TimelineName) throws(StorageError) -> Set<PostID> {
    try reading { () throws(StorageError) in try database.storedIDs(of: page, in: timeline) }
  }

  func appendPosts(
    of timeline: TimelineName, atMost count: Int, from lowest: PostKey?, readUpTo read: PostPosition?,
    to window: inout PostWindow
  ) throws(StorageError) {
    try memory.revision.withLock { _ throws(StorageError) in
      try database.appendPosts(of: timeline, atMost: count, from: lowest, readUpTo: read, to: &window)
    }
  }

  func gaps(
    of timeline: TimelineName, downTo oldest: PostPosition, with pages: [UnstoredPage]
  ) throws(StorageError) -> [Gap] {
    try reading { () throws(StorageError) in try database.gaps(of: timeline, downTo: oldest, with: pages) }
  }

  func postsAbove(of timeline: TimelineName, in pages: [UnstoredPage]) throws(StorageError) -> [KnownPost] {
    try reading { () throws(StorageError) in try database.postsAbove(of: timeline, in: pages) }
  }

  func posts(of timeline: TimelineName, below key: PostKey?, atMost count: Int) throws(StorageError) -> [KnownPost] {
    try reading { () throws(StorageError) in try database.posts(of: timeline, below: key, atMost: count) }
  }

  func reposts(by userID: String, mentioning id: String) throws(StorageError) -> [StoredRepost] {
    try reading { () throws(StorageError) in try database.reposts(by: userID, mentioning: id) }
  }

  func timelines() throws(StorageError) -> [StoredTimeline] {
    try reading { () throws(StorageError) in try database.timelines() }
  }

  func post(_ id: PostID, in scope: ArchiveScope) throws(StorageError) -> KnownPost? {
    try reading { () throws(StorageError) in try database.post(id, in: scope) }
  }

  func countOfExported(since: Timestamp?, until: Timestamp?, in scope: ArchiveScope) throws(StorageError) -> Int {
    try reading { () throws(StorageError) in try database.countOfExported(since: since, until: until, in: scope) }
  }

  func hoursOfWeek(at now: Timestamp) throws(StorageError) -> [Int] {
    try reading { () throws(StorageError) in try database.hoursOfWeek(at: now) }
  }

  func countOfPosts() throws(StorageError) -> Int {
    try reading { () throws(StorageError) in try database.countOfPosts() }
  }

  func posts(
    of timeline: TimelineName, before moment: PostMoment?, atMost count: Int
  ) throws(StorageError) -> [TimedPost] {
    try reading { () throws(StorageError) in try database.posts(of: timeline, before: moment, atMost: count) }
  }

  func ids(_ ids: Set<PostID>, in timeline: TimelineName) throws(StorageError) -> Set<PostID> {
    try reading { () throws(StorageError) in try database.ids(ids, in: timeline) }
  }

  func replies(
    to mark: PostPosition, in scope: ArchiveScope, lookingAt limit: Int, atMost most: Int
  ) throws(StorageError) -> [KnownPost] {
    try reading { () throws(StorageError) in
      try database.replies(to: mark, in: scope, lookingAt: limit, atMost: most)
    }
  }

  func source(of id: PostID, in scope: ArchiveScope) throws(StorageError) -> [UInt8]? {
    try reading { () throws(StorageError) in try database.source(of: id, in: scope) }
  }

  func edits(of id: PostID, in scope: ArchiveScope) throws(StorageError) -> [ImportedPost.Edit] {
    try reading { () throws(StorageError) in try database.edits(of: id, in: scope) }
  }

  func search(
    _ query: SearchQuery, since: Timestamp?, until: Timestamp?, author: String?, in scope: ArchiveScope,
    below moment: PostMoment?, limit: Int
  ) throws(StorageError) -> [TimedPost] {
    try reading { () throws(StorageError) in
      try database.search(query, since: since, until: until, author: author, in: scope, below: moment, limit: limit)
    }
  }

  func countOfFilteredPosts() throws(StorageError) -> Int {
    try reading { () throws(StorageError) in try database.countOfFilteredPosts() }
  }

  func searchFiltered(
    _ query: SearchQuery, since: Timestamp?, until: Timestamp?, author: String?, in scope: ArchiveScope, limit: Int
  ) throws(StorageError) -> [KnownPost] {
    try reading { () throws(StorageError) in
      try database.searchFiltered(query, since: since, until: until, author: author, in: scope, limit: limit)
    }
  }

  func export(
    since: Timestamp?, until: Timestamp?, in scope: ArchiveScope, _ take: (ArchivedPost) throws -> Void
  ) throws {
    try memory.revision.withLock { _ in try database.export(since: since, until: until, in: scope, take) }
  }

  func integrity(tell: (_ done: Int, _ of: Int) -> Void) throws(StorageError) -> ArchiveIntegrity {
    try reading { () throws(StorageError) in try database.integrity(tell: tell) }
  }

  func quickCheck() throws(StorageError) -> [String] {
    try reading { () throws(StorageError) in try database.quickCheck() }
  }

  // MARK: Maintenance

  func performMaintenance(isLong: Bool) throws(StorageError) {}
  func eraseTraces() throws(StorageError) -> Bool { true }
  func salvage(from aside: String) -> Salvaged { Salvaged() }
  func close() {}
  var isQuickToReopen: Bool { false }

  func close(inHaste: Bool) { observer = nil }
}
