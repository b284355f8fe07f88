internal import Platform
internal import Storage
package import Timeline

extension Account {
  /// Stores and publishes a post that the user has just published. When the next refresh receives the post too, nothing changes. Call on
  /// the account's queue, within a job.
  package func storeOwnPost(_ entry: Page.Entry) {
    guard !isClosed else { return }
    do {
      try reopenIfMoved()
      _ = try store(Page(entries: [entry], older: nil), as: .single) { _ in }
    } catch {
      return log(
        .warning,
        "your post \(entry.post.id) will appear after the next refresh, because it could not be stored: \(error)")
    }
    if let failure = publish(gathers: false) { log(.warning, failure.message) }
  }

  /// Removes a post that the user has deleted at the server from the stored timeline and the published files.
  package func removeOwnPost(_ id: PostID) {
    guard !isClosed else { return }
    do {
      try reopenIfMoved()
      guard let mark = try database.position(of: id) else { return }
      _ = try store(Page(entries: [], older: nil, deleted: [mark]), as: .single) { _ in }
    } catch { return log(.warning, "the deleted post \(id) remains in the archive: \(error)") }
    if let failure = publish(gathers: false) { log(.warning, failure.message) }
  }
}
