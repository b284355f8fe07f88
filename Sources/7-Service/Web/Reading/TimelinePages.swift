internal import Formats
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Reads a timeline page by page, in the order of its keys.
struct TimelinePages {
  let key: TimelineKey
  let conditions: PostConditions
  /// Only posts below this key are shown; `nil` for the beginning.
  let below: PostKey?
  /// The address of the timeline with its conditions.
  let address: WebAddress

  /// The number of posts read at a time, when conditions leave some out.
  private static let portion = 200

  func page(of archive: any TimelineReading) throws(StorageError) -> PostPage {
    let mark = try archive.state()[key.timeline].readUpTo
    let filter = CompiledFilter(conditions.filter)
    var page = PostPage()
    var places: [(key: PostKey, id: PostID)] = []
    var lowest = below
    var left = PostPage.furthest
    var next: KnownPost?
    reading: while left > 0 {
      // One more than the page needs, which shows whether the archive goes on.
      let wanted = min(conditions.isEmpty ? PostPage.size + 1 : Self.portion, left)
      let known = try archive.posts(of: key.timeline, below: lowest, atMost: wanted)
      for post in known {
        let isUnread = mark.map { $0 < post.mark } ?? true
        // All posts further down are read too.
        if conditions.onlyUnread, !isUnread { break reading }
        if page.posts.count == PostPage.size {
          next = post
          break reading
        }
        left -= 1
        lowest = post.mark.key
        guard let read = try? PostJSON.read(post.json) else { continue }
        page.reached = read.enteredAt
        guard filter.includes(read) else { continue }
        places.append((post.mark.key, read.entryID))
        page.posts.append(PublishedPost(post: read, json: post.json, account: key.account.text, isUnread: isUnread))
      }
      if known.count < wanted { break }
    }
    if next == nil, left == 0, let lowest {
      next = try archive.posts(of: key.timeline, below: lowest, atMost: 1).first
      page.hasEndedEarly = next != nil
    }
    if next != nil, let lowest { page.older = address.with("below", lowest.text) }
    page.gaps = try gaps(archive, places, downTo: next?.mark, from: lowest)
    if let below, let mark, below > mark.key, let first = page.posts.first { page.beginsAtReadMark = !first.isUnread }
    return page
  }

  /// Returns the timeline's gaps between the posts that were looked at, each below the last shown post above it.
  private func gaps(
    _ archive: any TimelineReading, _ places: [(key: PostKey, id: PostID)], downTo next: PostPosition?,
    from lowest: PostKey?
  ) throws(StorageError) -> [PublishedGap] {
    guard let lowest, !places.isEmpty else { return [] }
    let end = next ?? PostPosition(id: PostID(""), key: lowest)
    return try archive.gaps(of: key.timeline, downTo: end, with: []).compactMap { gap in
      if let below, gap.before.key >= below { return nil }
      return places.last { $0.key >= gap.before.key }.map {
        PublishedGap(after: gap.after.id, before: $0.id, isFillable: gap.cursor != nil)
      }
    }
  }
}
