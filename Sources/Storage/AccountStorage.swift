package import CivilTime
package import Timeline

/// What is stored of one timeline and its account, as their owner has it open: posts, state and spending. Belongs to the account's queue.
///
/// Each write is done whole or not at all, takes the revision that its writer knows, and is refused (`.outdated`) where that is not the
/// current one. Arguments and results are values, and no method calls back to ask its writer anything, so that a store on another machine
/// can do each in one exchange.
package protocol AccountStorage: StateStorage, LedgerStorage, PostStorage {
  /// The revision as it is now.
  func revision() throws(StorageError) -> Revision
  /// Where it is, for people.
  var location: String { get }
  /// Whether what was opened is still what is stored: what is written into something else is lost with it.
  var isInPlace: Bool { get }
  /// Whether it keeps nothing beyond this process, in the place of a store that could not be opened.
  var isStandIn: Bool { get }
  /// What was found damaged and replaced when it was opened; `nil` when all was well.
  var damage: StorageDamage? { get }

  /// For when nothing waits: does what can be put off.
  /// - Parameter isLong: whether this process stays, so that long work can be done little by little.
  func rest(isLong: Bool) throws(StorageError)
  /// Leaves nothing behind of what was removed.
  /// - Returns: false where somebody who reads was in the way, and it is to be called again.
  func eraseRemains() throws(StorageError) -> Bool
  /// Takes over what can still be read of storage that was set aside; what this one has stays as it is.
  /// - Parameter aside: as ``StorageProvider/setAsideDamaged(_:at:)`` names it.
  func salvage(from aside: String) -> Salvaged
  /// Any later use traps.
  /// - Parameter inHaste: whether upkeep that takes long is left to the next owner.
  func close(inHaste: Bool)
}

/// Damaged storage that was replaced.
package struct StorageDamage: Sendable, Hashable {
  /// Where it is now.
  package let aside: String
  /// What was read of it.
  package let salvaged: Salvaged

  package init(aside: String, salvaged: Salvaged) {
    self.aside = aside
    self.salvaged = salvaged
  }
}

/// Writes the state of an account.
package protocol StateStorage: AnyObject {
  func state() throws(StorageError) -> AccountState
  func write(_ state: AccountState, expecting revision: Revision) throws(StorageError) -> Revision
}

/// Writes what an account has cost. A request is reserved for before it is sent, and settled with what it brought: a process that ends in
/// between has spent too much by its books, and never too little.
package protocol LedgerStorage: AnyObject {
  func spending() throws(StorageError) -> SpendingRecord
  /// Counts one more request and reserves the most that its answer can cost. It survives a power cut when this returns.
  func reserve(
    posts: Int, microUSD: Int64, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Reservation>
  /// Replaces a reservation by what an answer has brought.
  func settle(_ settlement: Settlement, expecting revision: Revision) throws(StorageError) -> Revision
  /// Takes over what other storage of the account knew, where this one knows nothing of a day.
  func adopt(_ record: SpendingRecord, expecting revision: Revision) throws(StorageError) -> Revision
}

/// Reads and writes the posts of a timeline.
package protocol PostStorage: TimelineReading {
  /// Is told of each change.
  var observer: (any PostObserver)? { get set }

  // MARK: What is known

  func spans() throws(StorageError) -> Spans
  /// The post since which to ask for newer ones: the newest one that is older than the newest known by `overlap`, so that posts that
  /// appear late among known ones are seen too. Without overlap it is the newest place known.
  /// - Returns: `nil` when nothing is known.
  func sinceMark(overlap: Duration) throws(StorageError) -> PostPosition?
  /// The known post from which to ask for what is missing in a gap: older by `overlap` than the gap's lower edge, and some posts below it.
  /// - Returns: `nil` where nothing is known below the edge, or without overlap.
  func overlapMark(below gap: Gap, overlap: Duration) throws(StorageError) -> PostPosition?
  /// How many posts are known of the timeline as far as it was fetched, counted up to a limit.
  func countOfFetchedPosts(upTo limit: Int) throws(StorageError) -> Int
  /// How many known posts are above what this cursor asks for, counted up to a limit; 0 for one that no span has.
  func countOfPosts(above cursor: PageCursor, upTo limit: Int) throws(StorageError) -> Int
  /// How many posts are newer than a place, counted up to a limit; what was deleted is none.
  func countOfPosts(above key: PostKey, upTo limit: Int) throws(StorageError) -> Int
  /// The post to which a mark of what is read goes; the newest one when none is named.
  func mark(ofPost id: PostID?) throws(StorageError) -> PostPosition?
  /// The place of a post; `nil` where its id alone does not tell it.
  func mark(of id: PostID) throws(StorageError) -> PostPosition?

  // MARK: What is published

  /// Adds the newest posts to a window, newest first.
  /// - Parameters:
  ///   - count: how many at most.
  ///   - lowest: the place below which none is taken; `nil` for no bound.
  ///   - read: up to where everything is read.
  func appendPosts(
    atMost count: Int, from lowest: PostKey?, readUpTo read: PostPosition?, to window: inout PostWindow
  ) throws(StorageError)
  /// The gaps of the timeline, newest first, as far down as the posts of `oldest`.
  /// - Parameter pages: that are not stored.
  func gaps(downTo oldest: PostPosition, with pages: [UnstoredPage]) throws(StorageError) -> [Gap]
  /// The posts of pages that are not stored which are above all stored ones, newest first, as they would be published.
  func postsAbove(in pages: [UnstoredPage]) throws(StorageError) -> [KnownPost]

  // MARK: Writing

  /// Stores a page. A post seen again is kept as it is now, and what it said before beside it. The same page once more changes nothing.
  func insert(_ page: PageWrite, expecting revision: Revision) throws(StorageError) -> Written<StoredPage>
  /// The posts to ask the server for, now that the newest page has been read without a lower bound and stored: those that are missing
  /// from it, and those that the server has already called gone once.
  func postsToCheck(
    missingFrom page: Page, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<[PostPosition]>
  /// Notes what a server has answered when it was asked for a post: the second time that it calls it gone, an hour or more after the
  /// first, the post is hidden.
  /// - Parameters:
  ///   - retention: how long the text of a hidden post is kept.
  ///   - state: the state afterwards.
  /// - Returns: whether the post was hidden.
  func note(
    _ presence: PostPresence, of mark: PostPosition, at now: Timestamp, keeping retention: Retention,
    state: AccountState?,
    expecting revision: Revision
  ) throws(StorageError) -> Written<Bool>
  /// Keeps posts from elsewhere. Stored posts are not changed.
  /// - Returns: how many were not kept before.
  func take(
    _ posts: [ImportedPost], at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Int>

  // MARK: Removing

  /// Notes that posts are to be removed. From now on nothing is taken that a purge of a time excludes.
  func begin(_ purge: Purge, at now: Timestamp, expecting revision: Revision) throws(StorageError) -> Written<PurgeRun>
  /// The purges that an earlier owner has begun and not finished.
  func unfinishedPurges() throws(StorageError) -> [PurgeRun]
  /// Removes a portion. Once the run has ended, what it has removed is in no file any more.
  func goOn(_ run: PurgeRun, at now: Timestamp, expecting revision: Revision) throws(StorageError) -> Written<PurgeRun>
  /// What a purge would remove.
  func count(of purge: Purge) throws(StorageError) -> Purged
}
