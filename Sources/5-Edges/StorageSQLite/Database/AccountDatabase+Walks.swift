package import Storage
package import Timeline

/// Walks through the posts that the user has marked on the server.
extension AccountDatabase {
  package func storedIDs(of page: Page, in timeline: TimelineName) throws(StorageError) -> Set<PostID> {
    guard let number = try number(of: timeline) else { return [] }
    return try postTable().storedIDs(of: page, in: number)
  }

  /// Removes the fetched entries that a walk has not found. Imported entries are below the fetched part, and stay. Call this within a
  /// transaction, after the newest page has been stored.
  /// - Parameter newest: the newest page, whose posts count as found.
  func removeUnmarked(
    _ walked: WalkedMarks, besides newest: Page, of timeline: TimelineName, _ number: Int64, _ table: inout PostTable
  ) throws(StorageError) {
    guard let bottom = try spans(of: timeline).bottom else { return }
    let found = walked.found.union(try table.storedIDs(of: newest, in: number))
    let entries = try table.entriesOfPosts(from: bottom.oldest.key, in: number)
    let end = walked.isComplete ? entries.endIndex : entries.lastIndex { found.contains($0.id) } ?? 0
    for entry in entries[..<end] where !found.contains(entry.id) { try table.remove(entry.entry, from: number) }
  }
}
