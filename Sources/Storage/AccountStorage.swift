package import CivilTime
package import Timeline

/// The storage of one timeline, opened by the process that owns the state: posts, state and spending. Belongs to the account's queue.
///
/// Each write either succeeds completely or changes nothing. The writer passes the revision that it knows; if a different revision is
/// current, the write fails with `.outdated`. Arguments and results are values, and no method calls back, so a store on another machine can
/// perform each operation in one round trip.
package protocol AccountStorage: StateStorage, LedgerStorage, PostStorage {
  /// Returns the current revision.
  func revision() throws(StorageError) -> Revision
  /// The storage location, to show to the user.
  var location: String { get }
  /// Whether the storage is still at its location. Data written to a moved or deleted file is lost.
  var isInPlace: Bool { get }
  /// Whether the storage is temporary, for an account whose own storage cannot be opened now. Its content is lost when the process exits.
  var isTemporary: Bool { get }
  /// The corruption found and repaired when the storage was opened; `nil` if there was none.
  var damage: StorageDamage? { get }

  /// Performs the maintenance that was postponed until the queue is idle.
  /// - Parameter isLong: whether the process keeps running, so that long work can be done in small steps.
  func performMaintenance(isLong: Bool) throws(StorageError)
  /// Erases all traces of removed content.
  /// - Returns: false if a reader prevented this; try again later.
  func eraseTraces() throws(StorageError) -> Bool
  /// Imports the readable parts of storage that was set aside. Does not change existing content.
  /// - Parameter aside: a location that ``StorageProvider/setAsideDamaged(_:at:)`` returned.
  func salvage(from aside: String) -> Salvaged
  /// Whether slow maintenance can be left to the next process at little cost, even if that process has to check the whole storage for
  /// damage because the machine was restarted in between.
  var isQuickToReopen: Bool { get }
  /// Closes the storage. Any later use traps.
  /// - Parameter inHaste: whether to leave slow maintenance to the next process that owns the state.
  func close(inHaste: Bool)
}

/// Corrupt storage that was set aside and replaced.
package struct StorageDamage: Sendable, Hashable {
  /// The location of the corrupt storage.
  package let aside: String
  /// The content recovered from it.
  package let salvaged: Salvaged

  package init(aside: String, salvaged: Salvaged) {
    self.aside = aside
    self.salvaged = salvaged
  }
}

/// Writes an account's state.
package protocol StateStorage: AnyObject {
  func write(_ state: AccountState, expecting revision: Revision) throws(StorageError) -> Revision
}

/// Records an account's spending. A request's cost is reserved before the request is sent, and settled when the response arrives. If the
/// process exits in between, the recorded cost is too high, never too low.
package protocol LedgerStorage: AnyObject {
  /// Counts one request and reserves its response's maximum cost. Once this returns, the reservation survives a power failure.
  func reserve(
    posts: Int, microUSD: Int64, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Reservation>
  /// Replaces a reservation with a response's actual cost.
  func settle(_ settlement: Settlement, expecting revision: Revision) throws(StorageError) -> Revision
  /// Copies the spending that another storage of the account has recorded, for days that are not recorded in this one.
  func adopt(_ record: SpendingRecord, expecting revision: Revision) throws(StorageError) -> Revision
}

/// Reads and writes the posts of a timeline.
package protocol PostStorage: TimelineReading {
  /// The object to notify of changes to posts.
  var observer: (any PostObserver)? { get set }

  // MARK: Stored posts

  func spans() throws(StorageError) -> Spans
  /// Returns the position from which to request newer posts: the newest stored post that is at least `overlap` older than the newest one,
  /// so that posts that appear late are fetched too. Without an overlap, it is the newest known position.
  /// - Returns: `nil` if no post is stored.
  func sincePosition(overlap: Duration) throws(StorageError) -> PostPosition?
  /// Returns the stored post from which to request the posts missing in a gap. It is `overlap` older than the gap's lower edge and has some
  /// posts above it.
  /// - Returns: `nil` if nothing is stored below the edge, or without an overlap.
  func overlapPosition(below gap: Gap, overlap: Duration) throws(StorageError) -> PostPosition?
  /// Counts the posts in the fetched part of the timeline, up to a limit.
  func countOfFetchedPosts(upTo limit: Int) throws(StorageError) -> Int
  /// Counts the stored posts above the cursor, up to a limit; 0 if no span has this cursor.
  func countOfPosts(above cursor: PageCursor, upTo limit: Int) throws(StorageError) -> Int
  /// Returns the read position for a post; for the newest post if the id is `nil`.
  func position(ofPost id: PostID?) throws(StorageError) -> PostPosition?
  /// Returns a post's position; `nil` if it cannot be determined from the id alone.
  func position(of id: PostID) throws(StorageError) -> PostPosition?

  // MARK: Published posts

  /// Appends the newest posts to a window, newest first.
  /// - Parameters:
  ///   - count: the maximum number of posts.
  ///   - lowest: the lowest position to include; `nil` for no bound.
  ///   - read: the newest position that the user has read.
  func appendPosts(
    atMost count: Int, from lowest: PostKey?, readUpTo read: PostPosition?, to window: inout PostWindow
  ) throws(StorageError)
  /// Returns the timeline's gaps, newest first, down to the post at `oldest`.
  /// - Parameter pages: pages that are not stored yet.
  func gaps(downTo oldest: PostPosition, with pages: [UnstoredPage]) throws(StorageError) -> [Gap]
  /// Returns the posts on unstored pages that are newer than all stored posts, newest first, in their published form.
  func postsAbove(in pages: [UnstoredPage]) throws(StorageError) -> [KnownPost]

  // MARK: Writing

  /// Stores a page. If a post has changed, its new version is stored, and the previous one is kept as an edit. Storing the same page again
  /// has no effect.
  func insert(_ page: PageWrite, expecting revision: Revision) throws(StorageError) -> Written<StoredPage>
  /// Returns the posts to look up at the server: posts that are missing from the newest page, and posts that the server has already
  /// reported as deleted once. Call this after the newest page was read without a lower bound and stored.
  func postsToCheck(
    missingFrom page: Page, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<[PostPosition]>
  /// Records the server's report about a post. The post is hidden once the server has reported it as deleted twice, at least an hour apart.
  /// - Parameters:
  ///   - retention: determines how long the text of a hidden post is kept.
  ///   - state: the new state; `nil` to leave it unchanged.
  /// - Returns: whether the post was hidden.
  func note(
    _ presence: PostPresence, of mark: PostPosition, at now: Timestamp, keeping retention: Retention,
    state: AccountState?,
    expecting revision: Revision
  ) throws(StorageError) -> Written<Bool>
  /// Imports posts. Does not change stored posts.
  /// - Returns: the number of posts that were added.
  func importPosts(
    _ posts: [ImportedPost], at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Int>

  // MARK: Removing

  /// Begins a purge. From now on, posts that a purge by time excludes are ignored.
  func begin(_ purge: Purge, at now: Timestamp, expecting revision: Revision) throws(StorageError) -> Written<PurgeRun>
  /// Returns the purges that an earlier process started but did not finish.
  func unfinishedPurges() throws(StorageError) -> [PurgeRun]
  /// Removes the next portion of a purge. Once the purge has finished, no file contains the removed content.
  func continuePurge(_ run: PurgeRun, at now: Timestamp, expecting revision: Revision) throws(StorageError) -> Written<
    PurgeRun
  >
  /// Returns how many posts a purge would affect.
  func count(of purge: Purge) throws(StorageError) -> Purged
}
