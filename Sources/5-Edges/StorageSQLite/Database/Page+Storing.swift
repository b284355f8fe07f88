internal import Storage
internal import Time
internal import Timeline

/// What the archive stores of a page.
extension Page.Entry {
  /// Returns the time that the entry's age is counted from. A marked post appeared at its position when it was found.
  func time(seenAt now: Timestamp) -> Timestamp { isMarked && post.notice == nil ? now : post.enteredAt }

  /// Returns the entry. If its event is about a post that is too old after a purge, only the event is returned.
  func kept(since purged: Timestamp?) -> Page.Entry {
    guard let purged, post.createdAt < purged else { return self }
    return withoutPost ?? self
  }
}

extension Page {
  /// Whether the entries are events, which have ids and positions of their own.
  var hasEvents: Bool { entries.contains { $0.post.notice != nil } }

  /// Returns the page without posts that are purged or too old.
  /// - Parameters:
  ///   - purged: the earliest publication time after a purge.
  ///   - begin: the earliest time to keep. It does not apply to marked posts, whose age begins with the mark.
  func kept(since purged: Timestamp?, _ begin: Timestamp?) -> Page {
    if hasEvents {
      let page = begin.map { published(since: $0) } ?? self
      return Page(
        entries: page.entries.map { $0.kept(since: purged) }, older: page.older, reaches: reaches, stretch: stretch,
        deleted: deleted)
    }
    guard entries.contains(where: \.isMarked) else { return begin.map { published(since: $0) } ?? self }
    guard let purged, entries.contains(where: { $0.post.createdAt < purged }) else { return self }
    // The posts below an old one may be newer.
    return Page(
      entries: entries.filter { $0.post.createdAt >= purged }, older: older, reaches: reaches, stretch: stretch,
      deleted: deleted)
  }
}
