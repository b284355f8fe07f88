package import Storage
package import Time
package import Timeline

/// Writes to the home timeline that expect the current revision, for tests of other features.
extension AccountStorage {
  package func update(_ change: (inout AccountState) -> Void) throws(StorageError) {
    _ = try write(try changed(change), expecting: revision())
  }

  private func changed(_ change: (inout AccountState) -> Void) throws(StorageError) -> AccountState {
    var state = try state()
    change(&state)
    return state
  }

  @discardableResult
  package func insert(
    _ page: Page, as place: PagePosition, at now: Timestamp, settling settlement: Settlement? = nil,
    keeping retention: Retention = Retention(), state change: (inout AccountState) -> Void = { _ in }
  ) throws(StorageError) -> [KnownPost] {
    let write = PageWrite(
      page, of: .home, as: place, receivedAt: now, settling: settlement, keeping: retention, state: try changed(change))
    return try insert(write, expecting: revision()).value.new
  }

  package func note(
    _ presence: PostPresence, of mark: PostPosition, at now: Timestamp, keeping retention: Retention = Retention(),
    state change: (inout AccountState) -> Void = { _ in }
  ) throws(StorageError) -> Bool {
    try note(presence, of: mark, at: now, keeping: retention, state: changed(change), expecting: revision()).value
  }

  package func postsToCheck(missingFrom page: Page, at now: Timestamp) throws(StorageError) -> [PostPosition] {
    try postsToCheck(of: .home, missingFrom: page, at: now, expecting: revision()).value
  }

  package func importPosts(_ posts: [ImportedPost], at now: Timestamp) throws(StorageError) -> Int {
    try importPosts(posts, at: now, expecting: revision()).value
  }

  package func reserve(posts: Int, microUSD: Int64, at now: Timestamp) throws(StorageError) -> Reservation {
    try reserve(posts: posts, microUSD: microUSD, at: now, expecting: revision()).value
  }

  package func settle(_ settlement: Settlement) throws(StorageError) {
    _ = try settle(settlement, expecting: revision())
  }

  package func adopt(_ record: SpendingRecord) throws(StorageError) { _ = try adopt(record, expecting: revision()) }

  package func begin(_ purge: Purge, at now: Timestamp) throws(StorageError) -> PurgeRun {
    try begin(purge, at: now, expecting: revision()).value
  }

  /// - Returns: whether the purge has more portions.
  package func continuePurge(_ run: inout PurgeRun, at now: Timestamp) throws(StorageError) -> Bool {
    run = try continuePurge(run, at: now, expecting: revision()).value
    return !run.hasEnded
  }
}

extension TokenStorage {
  package func keep(_ token: StoredToken, at now: Timestamp) throws(StorageError) {
    try reserve(at: now).commit(token)
  }
}
