package import CivilTime
package import Timeline

/// Reads what is stored of one timeline, while its owner may be writing. Belongs to the queue that opened it.
package protocol TimelineReading: AnyObject {
  /// Whether authors, edits and words are known; not so of storage that its owner has not brought up to date yet.
  var hasArchive: Bool { get }

  /// When the account was and will be asked, and what went wrong.
  func state() throws(StorageError) -> AccountState
  /// What the account has cost.
  func spending() throws(StorageError) -> SpendingRecord
  /// Posts below a place, newest first, at most so many; what was deleted is none.
  /// - Parameter key: `nil` for the newest.
  func posts(below key: PostKey?, atMost count: Int) throws(StorageError) -> [KnownPost]
  /// How many posts were published in each hour of the week that ends with the hour of `now`: 168 numbers, that hour last.
  func hoursOfWeek(at now: Timestamp) throws(StorageError) -> [Int]
  /// How many posts are kept.
  func kept() throws(StorageError) -> Int

  /// The newest posts that a query finds, newest first. What was deleted is not found.
  /// - Parameters:
  ///   - since: from this moment on; `until` itself is not in it.
  ///   - author: a screen name, in any letter case, with or without a leading `@`.
  ///   - limit: how many at most.
  func search(
    _ query: SearchQuery, since: Timestamp?, until: Timestamp?, author: String?, limit: Int
  ) throws(StorageError) -> [KnownPost]
  /// Hands out all that is kept, the newest first, as it was at one moment.
  /// - Parameter take: gets each post, and ends it all by throwing.
  /// - Throws: `StorageError`, or what `take` throws.
  func export(since: Timestamp?, until: Timestamp?, _ take: (ArchivedPost) throws -> Void) throws
  /// Reads everything and says what does not fit. Changes nothing.
  /// - Parameter tell: told now and then how many posts have been looked at, and how many there are.
  func integrity(tell: (_ done: Int, _ of: Int) -> Void) throws(StorageError) -> ArchiveIntegrity

  func close()
}
