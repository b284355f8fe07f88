package import Time
package import Timeline

/// Reads and writes the posts of an account's timelines. The methods without a timeline concern all posts of the account.
package protocol PostStorage: TimelineReading {
  /// The object to notify of changes to posts.
  var observer: (any PostObserver)? { get set }

  // MARK: Stored posts

  func spans(of timeline: TimelineName) throws(StorageError) -> Spans
  /// Returns where to request newer posts from: the newest stored post that is at least `overlap` older than the newest one,
  /// so that late posts are fetched too. Without an overlap, it is the newest known position.
  /// - Returns: `nil` if no post is stored.
  func sincePosition(of timeline: TimelineName, overlap: Duration) throws(StorageError) -> PostPosition?
  /// Returns the stored post where a request for the posts missing in a gap begins. It is `overlap` older than the gap's lower edge and has
  /// some posts above it.
  /// - Returns: `nil` if nothing is stored below the edge, or without an overlap.
  func overlapPosition(
    of timeline: TimelineName, below gap: Gap, overlap: Duration
  ) throws(StorageError) -> PostPosition?
  /// Counts the posts in the fetched part of the timeline, up to a limit.
  func countOfFetchedPosts(of timeline: TimelineName, upTo limit: Int) throws(StorageError) -> Int
  /// Counts the stored posts above the cursor, up to a limit; 0 if no span has this cursor.
  func countOfPosts(of timeline: TimelineName, above cursor: PageCursor, upTo limit: Int) throws(StorageError) -> Int
  /// Returns the positions of the posts or events with an id, newest first. There are several if a server has given the same id again.
  /// - Parameter timeline: `nil` for the posts of all timelines.
  func positions(of id: PostID, in timeline: TimelineName?) throws(StorageError) -> [PostPosition]
  /// Returns the stored ids of the posts on a page that a timeline other than home contains.
  func storedIDs(of page: Page, in timeline: TimelineName) throws(StorageError) -> Set<PostID>
  /// Returns the stored reposts by a user whose original may have the given id, because the provider's JSON contains the id.
  /// - Returns: at most 100 reposts, newest first.
  func reposts(by userID: String, mentioning id: String) throws(StorageError) -> [StoredRepost]

  // MARK: Published posts

  /// Appends a timeline's newest posts to a window, newest first.
  /// - Parameters:
  ///   - count: the maximum number of posts.
  ///   - lowest: the lowest position to include; `nil` for no bound.
  ///   - read: the newest position that the user has read.
  func appendPosts(
    of timeline: TimelineName, atMost count: Int, from lowest: PostKey?, readUpTo read: PostPosition?,
    to window: inout PostWindow
  ) throws(StorageError)
  /// Returns the posts on unstored pages of a timeline that are newer than all its stored posts, newest first, in their published form.
  func postsAbove(of timeline: TimelineName, in pages: [UnstoredPage]) throws(StorageError) -> [KnownPost]

  // MARK: Writing

  /// Stores a page. A post that another timeline has is stored once, and is new in each timeline. If a post has changed, its new version is stored, and the previous one is kept as an edit. Storing the same page again
  /// has no effect.
  func insert(_ page: PageWrite, expecting revision: Revision) throws(StorageError) -> Written<StoredPage>
  /// Returns the posts to look up on the server: posts that are missing from the timeline's newest page, and posts that the server has already
  /// reported as deleted once. Call this after the newest page was read without a lower bound and stored.
  func postsToCheck(
    of timeline: TimelineName, missingFrom page: Page, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<[PostPosition]>
  /// Records the server's report about a post. The post is hidden once the server has reported it as deleted twice, at least an hour apart.
  /// - Parameters:
  ///   - retention: determines how long a hidden post's text is kept.
  ///   - state: the new state; `nil` to leave it unchanged.
  /// - Returns: whether the post was hidden.
  func note(
    _ presence: PostPresence, of mark: PostPosition, at now: Timestamp, keeping retention: Retention,
    state: AccountState?,
    expecting revision: Revision
  ) throws(StorageError) -> Written<Bool>
  /// Imports posts into the timelines that they name. Does not change stored posts.
  /// - Returns: the number of posts that were added to the archive or to one of the timelines.
  func importPosts(
    _ posts: [ImportedPost], at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Int>

  // MARK: Removing

  /// Begins a purge. From now on, posts excluded by a purge by time are ignored.
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
