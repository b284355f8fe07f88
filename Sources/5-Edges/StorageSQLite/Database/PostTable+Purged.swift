internal import Storage
internal import Timeline

/// Posts that were purged: their text is not stored again, even in quotes.
extension PostTable {
  /// Returns the post without any quoted text that was purged. The provider's JSON also contains that text, so it is dropped.
  mutating func withoutPurgedQuote(_ entry: Page.Entry) throws(StorageError) -> Page.Entry {
    guard let quoted = entry.post.quoted, try isPurged(quoted.id) else { return entry }
    var post = entry.post
    post.quoted = nil
    return entry.with(post)
  }

  /// Returns whether a post with this id was purged.
  mutating func isPurged(_ id: PostID) throws(StorageError) -> Bool {
    guard try rareRows().purged else { return false }
    return try connection.first("SELECT 1 FROM purged WHERE id = ?", [.text(id.text)], { _ in true }) != nil
  }

  /// Records that a post was purged.
  mutating func notePurged(_ id: PostID) throws(StorageError) {
    knownRareRows?.purged = true
    try connection.run("INSERT OR IGNORE INTO purged (id) VALUES (?)", [.text(id.text)])
  }

  /// Returns the part of a stored post that a purge removes.
  /// - Parameter authors: the ids of the users with the purged name.
  static func part(
    of stored: StoredPost, matching purge: Purge, by authors: Set<String>
  ) -> Purge.MatchedPart {
    switch purge {
    case .before(let moment): return stored.createdAt < moment ? .whole : .none
    case .everything: return .whole
    case .post(let id):
      // A tombstone is no longer a post.
      guard stored.json != nil else { return .none }
      if stored.id == id { return .whole }
      return stored.post?.quoted?.id == id ? .quote : .none
    case .author:
      guard let post = stored.post else { return .none }
      if purge.isAuthor(post.author, of: authors) || purge.isAuthor(post.repostedBy) { return .whole }
      return purge.isAuthor(post.quoted?.author) ? .quote : .none
    }
  }
}
