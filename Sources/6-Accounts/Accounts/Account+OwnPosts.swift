internal import Formats
internal import Platform
internal import Storage
package import Timeline

/// The user's own posts, which are stored as soon as the provider confirms them. Call within a job.
extension Account {
  /// Stores a post that the user has just published in the home timeline, and publishes it. When the next refresh receives the post too,
  /// nothing changes.
  package func storeOwnPost(_ entry: Page.Entry) {
    guard !isClosed else { return }
    do {
      try store.reopenIfMoved()
      _ = try home.storePage(Page(entries: [entry], older: nil), as: .single) { _ in }
    } catch {
      return log(
        .warning,
        "your post \(entry.post.id) will appear after the next refresh, because it could not be stored: \(error)")
    }
    publish(home, gathers: false) { if let failure = $0 { self.log(.warning, failure.message) } }
  }

  /// Returns whether a stored post is the user's own post or repost.
  /// - Returns: `nil` if no such post is stored.
  package func isOwnPost(_ id: PostID, of userID: String) -> Bool? {
    guard !isClosed, let known = try? store.database.post(id), let post = try? PostJSON.read(known.json) else {
      return nil
    }
    return (post.repostedBy ?? post.author).id == userID
  }

  /// Removes a post that the user has deleted at the server from the stored timelines and the published files.
  package func removeOwnPost(_ id: PostID) {
    remove { () throws(StorageError) in
      let marks = try store.database.positions(of: id, in: nil)
      // The user has deleted one post, and the id does not say which.
      return marks.count == 1 ? marks : []
    }
  }

  /// Removes the user's reposts of a post after the user has undone the repost.
  /// - Parameter isOriginal: returns whether a stored repost, given as the provider's JSON, reposts that post.
  package func removeReposts(of id: PostID, by userID: String, where isOriginal: ([UInt8]) -> Bool) {
    remove { () throws(StorageError) in
      // On snac, a repost has the original's id. The original has already taken its place.
      try store.database.reposts(by: userID, mentioning: id.text).filter { isOriginal($0.source) && $0.mark.id != id }
        .map(\.mark)
    }
  }

  private func remove(_ find: () throws(StorageError) -> [PostPosition]) {
    guard !isClosed else { return }
    do {
      try store.reopenIfMoved()
      let marks = try find()
      if marks.isEmpty { return }
      _ = try home.storePage(Page(entries: [], older: nil, deleted: marks), as: .single) { _ in }
    } catch { return log(.warning, "a post that you have deleted remains in the archive: \(error)") }
    publish(home, gathers: false) { if let failure = $0 { self.log(.warning, failure.message) } }
  }
}
