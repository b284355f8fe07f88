package import Time
package import Timeline

/// Reads one account's storage, even while the state owner writes to it. Belongs to the queue that opened it.
package protocol TimelineReading: AnyObject {
  /// Whether authors, edits and the search index exist. Storage written by an earlier version lacks them until the state owner upgrades it.
  var hasArchive: Bool { get }

  /// Returns the account's state.
  func state() throws(StorageError) -> AccountState
  /// Returns the account's spending.
  func spending() throws(StorageError) -> SpendingRecord
  /// Returns at most `count` posts of a timeline below a position, newest first. Deleted posts are left out.
  /// - Parameter key: `nil` for the newest posts.
  func posts(of timeline: TimelineName, below key: PostKey?, atMost count: Int) throws(StorageError) -> [KnownPost]
  /// Returns at most `count` posts of a timeline before a moment, latest first. Deleted posts are left out. Takes as long anywhere in the
  /// timeline.
  /// - Parameter moment: `nil` for the latest posts.
  func posts(of timeline: TimelineName, before moment: PostMoment?, atMost count: Int) throws(StorageError)
    -> [TimedPost]
  /// Returns a timeline's gaps, newest first, down to the post at `oldest`. Imported posts are treated as if a gap were above them.
  /// - Parameter pages: the timeline's pages that are not stored yet.
  func gaps(
    of timeline: TimelineName, downTo oldest: PostPosition, with pages: [UnstoredPage]
  ) throws(StorageError) -> [Gap]
  /// Returns the timelines that the archive contains: home, then the others by name. A timeline taken out of the configuration keeps its posts.
  func timelines() throws(StorageError) -> [StoredTimeline]
  /// Returns the stored post with this id; `nil` if there is none in the scope, or if it was deleted.
  func post(_ id: PostID, in scope: ArchiveScope) throws(StorageError) -> KnownPost?
  /// Returns those of the ids whose posts a timeline contains, one other than home.
  func ids(_ ids: Set<PostID>, in timeline: TimelineName) throws(StorageError) -> Set<PostID>
  /// Returns the stored posts that answer a post, and those that answer them, oldest first. Deleted posts are left out.
  /// - Parameters:
  ///   - mark: the post's id, and a position among all posts as returned by `post(_:in:)`. Only newer posts are looked at.
  ///   - limit: the number of newer posts to look at. Replies further away are not found.
  ///   - most: the maximum number of replies. If there are more, the oldest are returned.
  func replies(
    to mark: PostPosition, in scope: ArchiveScope, lookingAt limit: Int, atMost most: Int
  ) throws(StorageError) -> [KnownPost]
  /// Returns the provider's JSON of the stored post with this id; `nil` if it is not stored, or if there is no such post in the scope.
  func source(of id: PostID, in scope: ArchiveScope) throws(StorageError) -> [UInt8]?
  /// Returns the earlier versions of the stored post with this id, oldest first; empty if it was never edited, or if it was deleted.
  func edits(of id: PostID, in scope: ArchiveScope) throws(StorageError) -> [ImportedPost.Edit]
  /// Counts the home timeline's posts published in each hour of the week that ends with the hour of `now`: 168 numbers, oldest hour first.
  func hoursOfWeek(at now: Timestamp) throws(StorageError) -> [Int]
  /// Returns the number of stored posts of the home timeline.
  func countOfPosts() throws(StorageError) -> Int
  /// Returns the number of posts of the home timeline that the user's filters on the server hide. `countOfPosts()` does not contain them.
  func countOfFilteredPosts() throws(StorageError) -> Int
  /// Counts a timeline's posts above a position, up to a limit. Deleted posts do not count.
  func countOfPosts(of timeline: TimelineName, above key: PostKey, upTo limit: Int) throws(StorageError) -> Int

  /// Returns the latest posts that match a query, latest first. Deleted posts are left out.
  /// - Parameters:
  ///   - since: the earliest publication time; `until` itself is excluded.
  ///   - author: a case-insensitive screen name, with or without a leading `@`.
  ///   - scope: the posts to search.
  ///   - moment: only earlier posts are returned; `nil` for all.
  ///   - limit: the maximum number of posts.
  func search(
    _ query: SearchQuery, since: Timestamp?, until: Timestamp?, author: String?, in scope: ArchiveScope,
    below moment: PostMoment?, limit: Int
  ) throws(StorageError) -> [TimedPost]
  /// Returns the newest posts that match a query among those that the user's filters on the server hide, newest first. The parameters are
  /// those of `search`.
  func searchFiltered(
    _ query: SearchQuery, since: Timestamp?, until: Timestamp?, author: String?, in scope: ArchiveScope, limit: Int
  ) throws(StorageError) -> [KnownPost]
  /// Returns the number of posts that `export` passes.
  func countOfExported(since: Timestamp?, until: Timestamp?, in scope: ArchiveScope) throws(StorageError) -> Int
  /// Passes all stored posts of a scope to a closure, newest first, as of a single moment.
  /// - Parameter take: receives each post. If it throws, the export ends.
  /// - Throws: `StorageError`, or the error that `take` throws.
  func export(
    since: Timestamp?, until: Timestamp?, in scope: ArchiveScope, _ take: (ArchivedPost) throws -> Void
  ) throws
  /// Checks the whole archive for inconsistencies, without changing it.
  /// - Parameter tell: called from time to time with the number of posts checked and the total.
  func integrity(tell: (_ done: Int, _ of: Int) -> Void) throws(StorageError) -> ArchiveIntegrity
  /// Checks the structure of the storage, but not how posts relate to each other. Changes nothing, and takes less time than `integrity`.
  /// - Returns: the problems found, at most ten.
  func quickCheck() throws(StorageError) -> [String]

  func close()
}

extension TimelineReading {
  package func search(
    _ query: SearchQuery, since: Timestamp?, until: Timestamp?, author: String?, in scope: ArchiveScope, limit: Int
  ) throws(StorageError) -> [KnownPost] {
    try search(query, since: since, until: until, author: author, in: scope, below: nil, limit: limit).map(\.post)
  }
}

/// The same for all timelines that are not private.
extension TimelineReading {
  package func post(_ id: PostID) throws(StorageError) -> KnownPost? { try post(id, in: .withoutPrivate) }
}
