internal import Storage
internal import Timeline

/// The positions of posts in timelines that are in the order of the user's marks. The server sends no time of a mark, so a post that was
/// marked again, a post that was removed from the archive and a new one can look alike.
extension PostTable {
  /// What the archive keeps of a timeline that is in the order of the user's marks.
  struct MarkLimits {
    /// The maximum number of posts; `nil` for no limit.
    let newest: Int?
    /// Whether posts are removed some time after they were found.
    let expires: Bool
  }

  /// Returns the page with known posts where they were found first, so that the page joins the known range. A post that was marked again is
  /// above posts that were below it, and gets a new position. Unknown posts below the known ones are older than these.
  func placedByMark(
    _ page: Page, in number: Int64, as place: PagePosition, _ known: Spans, _ limits: MarkLimits
  ) throws(StorageError) -> Page {
    var keys: [PostKey?] = []
    var below: PostKey?
    for entry in page.entries.reversed() {
      let key = try key(ofPost: entry, in: number).flatMap { key in below.map { key > $0 } ?? true ? key : nil }
      below = key ?? below
      keys.append(key)
    }
    keys.reverse()
    if place == .head, let bottom = known.bottom {
      return try placed(page, keys, above: bottom, top: known.top ?? bottom, in: number, limits)
    }
    if let end = Self.end(of: known, above: place) { Self.lower(&keys, of: page, from: 0, below: end) }
    return Page(
      entries: Self.marked(page.entries[...], keys), older: page.older, reaches: page.reaches, deleted: page.deleted)
  }

  /// Returns the newest page.
  /// - Parameter keys: the stored positions of the page's posts, in their order.
  private func placed(
    _ page: Page, _ known: [PostKey?], above bottom: Span, top: Span, in number: Int64, _ limits: MarkLimits
  ) throws(StorageError) -> Page {
    var keys = known
    guard let lowest = keys.lastIndex(where: { $0 != nil }) else {
      return try isEmpty(number) ? Self.withoutExpired(page, upTo: top.newest, limits) : page
    }
    var end = keys.endIndex
    if lowest + 1 < end {
      let found = keys.count { $0 != nil }
      // One or two posts may have been marked again before the posts below them were marked. More would not be in their known order.
      if found < 3, try count(in: number, from: bottom.oldest.key) >= 2 * found { return page }
      if let newest = limits.newest {
        let (stored, added) = (try count(in: number, from: PostKey("")), lowest + 1 - found)
        end = min(end, lowest + 1 + max(newest - stored - added, 0))
      }
      // Posts below the known ones may have been removed when they expired.
      if limits.expires, bottom.older == nil { end = lowest + 1 }
      Self.lower(&keys, of: page, from: lowest + 1, below: bottom.oldest.key)
    }
    return Page(
      entries: Self.marked(page.entries[..<end], keys), older: end == keys.endIndex ? page.older : nil,
      reaches: page.reaches, deleted: page.deleted)
  }

  /// Returns the newest page of a timeline whose posts have all been removed, without those that were.
  /// - Parameter newest: the newest post that was removed.
  private static func withoutExpired(_ page: Page, upTo newest: PostPosition, _ limits: MarkLimits) -> Page {
    guard limits.expires, let end = page.entries.firstIndex(where: { $0.post.id == newest.id }) else { return page }
    return Page(
      entries: Array(page.entries[..<end]), older: nil, stretch: page.entries[..<end].first.map { newest...$0.mark },
      deleted: page.deleted)
  }

  /// Gives unknown posts positions below a bound and below the posts above them.
  private static func lower(_ keys: inout [PostKey?], of page: Page, from start: Int, below bound: PostKey) {
    var above = bound
    for (index, entry) in zip(page.entries.indices, page.entries).dropFirst(start) {
      let key = keys[index] ?? entry.key
      if key < above {
        above = key
      } else if keys[index] == nil, let lower = TimedPosition(above)?.below(id: entry.post.id.text).key {
        keys[index] = lower
        above = lower
      }
    }
  }

  private static func marked(_ entries: ArraySlice<Page.Entry>, _ keys: [PostKey?]) -> [Page.Entry] {
    zip(entries, keys).map { entry, key in key.map { entry.marked(at: $0) } ?? entry }
  }

  private func isEmpty(_ number: Int64) throws(StorageError) -> Bool {
    try connection.first("SELECT 1 FROM entries WHERE timeline = ? LIMIT 1", [.integer(number)]) { _ in false } ?? true
  }

  private func count(in number: Int64, from key: PostKey) throws(StorageError) -> Int {
    let count = try connection.first(
      "SELECT count(*) FROM entries WHERE timeline = ? AND key >= ?", [.integer(number), .text(key.text)]
    ) { $0.integer(0, in: 0...Int.max) }
    return count ?? 0
  }

  private func key(ofPost entry: Page.Entry, in number: Int64) throws(StorageError) -> PostKey? {
    guard let stored = try storedPost(of: entry) else { return nil }
    return try connection.first(
      "SELECT key FROM entries WHERE row = ? AND timeline = ? ORDER BY key DESC LIMIT 1",
      [.integer(stored.row), .integer(number)]
    ) { PostKey($0.text(0)) }
  }

  /// Returns the stored ids of the posts on a page that a timeline contains.
  func storedIDs(of page: Page, in number: Int64) throws(StorageError) -> Set<PostID> {
    var ids: Set<PostID> = []
    for entry in page.entries {
      if let stored = try storedPost(of: entry), try hasEntry(ofRow: stored.row, in: number) { ids.insert(stored.id) }
    }
    return ids
  }

  /// Returns the end of the known posts that a page continues; `nil` if it does not continue any.
  static func end(of known: Spans, above place: PagePosition) -> PostKey? {
    guard case .continuing(let cursor) = place else { return nil }
    return known.all.first { $0.older == cursor }?.oldest.key
  }
}
