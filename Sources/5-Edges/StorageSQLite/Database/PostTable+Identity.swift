internal import JSON
internal import Storage
internal import Time
internal import Timeline

/// Finds posts stored under a different id.
extension PostTable {
  /// Returns the stored earlier version of a post, which has a different id. An edit changes neither a post's time nor its reposter.
  func former(of entry: Page.Entry) throws(StorageError) -> StoredPost? {
    guard let identity = entry.identity else { return nil }
    let candidates = try connection.all(
      "SELECT \(Self.columns), source FROM posts WHERE created_at = ? AND id <> ? AND post IS NOT NULL",
      [.integer(entry.post.createdAt.milliseconds), .text(entry.post.id.text)]
    ) { row in (stored: Self.storedPost(row), source: row.isNull(7) ? [] : row.bytes(7)) }
    return candidates.first { candidate in
      guard let post = candidate.stored.post, post.repostedBy?.id == entry.post.repostedBy?.id else { return false }
      if identity.isNamedByURL, let url = entry.post.url, url == post.url { return true }
      return identity.uri.map { $0 == Self.uri(in: candidate.source) } ?? false
    }?.stored
  }

  /// Returns the page with each post at its stored position, and new posts with the same time between their neighbours, in the server's
  /// order. If ids determine the positions on a page, it is returned unchanged.
  /// - Parameter bound: no posts above this position were requested; `nil` for the newest page.
  func placed(_ page: Page, below bound: PostKey?) throws(StorageError) -> Page {
    guard page.entries.contains(where: { $0.identity != nil && TimedPosition($0.key) != nil }) else { return page }
    var places: [PostKey: PostKey] = [:]
    for entry in page.entries { places[entry.key] = try knownKey(of: entry) }
    var above = bound.flatMap { TimedPosition($0) }
    for entry in page.entries where places[entry.key] == nil {
      guard let place = TimedPosition(entry.key), let upper = above, upper.milliseconds == place.milliseconds else {
        break
      }
      let next = place.at(rank: upper.rank - 1)
      places[entry.key] = next.key
      above = next
    }
    var below: TimedPosition?
    for entry in page.entries.reversed() {
      if places[entry.key] == nil, let place = TimedPosition(entry.key), let lower = below,
        lower.milliseconds == place.milliseconds
      {
        places[entry.key] = place.at(rank: max(place.rank, lower.rank + 1)).key
      }
      below = TimedPosition(places[entry.key] ?? entry.key)
    }
    func moved(_ mark: PostPosition) -> PostPosition { PostPosition(id: mark.id, key: places[mark.key] ?? mark.key) }
    let stretch = page.stretch.map { stretch in
      let bounds = [moved(stretch.lowerBound), moved(stretch.upperBound)].sorted()
      return bounds[0]...bounds[1]
    }
    return Page(
      entries: page.entries.map { $0.at(places[$0.key] ?? $0.key) }, older: page.older, reaches: page.reaches,
      stretch: stretch, deleted: page.deleted)
  }

  private func knownKey(of entry: Page.Entry) throws(StorageError) -> PostKey? {
    let byID = try connection.first(
      "SELECT key FROM posts WHERE id = ?", [.text(entry.post.id.text)], { StoredKey.key($0.text(0)) })
    if let byID { return byID }
    return try former(of: entry)?.key
  }

  /// Returns the `uri` member of a status in the provider's JSON.
  private static func uri(in source: [UInt8]) -> String? {
    var uri: String?
    var cursor = JSONCursor(source)
    try? cursor.members { cursor, name in
      if name == "uri" { uri = try cursor.stringOrSkip() ?? uri } else { try cursor.skip() }
    }
    return uri
  }
}
