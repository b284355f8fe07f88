internal import Platform
internal import Storage
internal import Timeline

/// The last known state of a timeline's published files, kept in memory while its account's database is open. It is discarded if another
/// program has changed a file. Belongs to the database's queue.
final class PublicationMemory {
  /// The published posts; `nil` if the content of the JSON file is unknown.
  var posts: PublishedPosts?
  /// Whether ``posts`` describes the file of an earlier process, which equals the database, and this process has published nothing yet.
  var isInherited = false
  /// Whether this process has yet to publish for the first time, or to publish again after a failure.
  var isFirst: Bool { posts == nil || isInherited }
  /// The state of the other files when they were written.
  var files: [PublishedFormat: FileStatus] = [:]
  /// The formats published in addition to the JSON file; `nil` if files of other formats may exist.
  var formats: [PublishedFormat]?
  /// The formats whose files are out of date, and that no rendering is to write.
  var waiting: Set<PublishedFormat> = []
  /// Whether other pages may still show removed posts. A new process assumes this: the previous process may have been killed, and this
  /// process may remove posts before it first publishes.
  var hasRemovedPosts = true

  /// Whether posts have changed since the JSON file was last written or compared with the database.
  var hasChangedPosts = false

  func postsChanged(_ changes: PostChanges) {
    posts?.note(changes)
    hasChangedPosts = true
    if changes.places.contains(where: { $0.added < 0 }) { hasRemovedPosts = true }
  }

  func allPostsChanged() {
    posts = nil
    files = [:]
    hasChangedPosts = true
    hasRemovedPosts = true
  }
}
