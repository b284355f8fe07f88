internal import CivilTime
internal import JSON
internal import Timeline

/// A home timeline's answer made into a page.
struct MastodonPage {
  /// What is known of an answer beside its body.
  struct Circumstances {
    /// The server is still putting the timeline together (206): posts may be missing anywhere in it.
    let isPartial: Bool
    /// The server offers to page upwards by `min_id`, and so has understood it.
    let pagesForward: Bool
  }

  /// A page with so many posts came full, whatever was asked for: it is the default of Mastodon's API, and what servers cut a larger
  /// `limit` down to. Posts that are filtered out count towards the limit and are not seen, which is one more reason to look again.
  private static let fullPage = 20

  private let statuses: [MastodonStatus]

  /// - Throws: `JSONError` when it is not JSON, or no array. Posts that are odd are skipped and counted.
  init(_ cursor: inout JSONCursor) throws {
    var statuses: [MastodonStatus] = []
    try cursor.pageElements { cursor in statuses.append(try MastodonStatus(&cursor)) }
    self.statuses = statuses
  }

  /// The page for what was asked for.
  /// - Throws: `ProviderError.unreadable` when posts came and none could be read, and none shows where to read on.
  func fetched(for query: TimelineQuery, _ circumstances: Circumstances) throws(ProviderError) -> PageAnswer.Fetched {
    let came = statuses.filter { isBelow(query.older, $0) }
    let shown = came.filter { !$0.isHollow }
    let places = Self.places(of: came)
    let entries = shown.compactMap { status in
      status.entry.map { entry in places[entry.key].map { entry.at($0) } ?? entry }
    }
    let skipped = shown.count - entries.count
    if entries.isEmpty, skipped > 0, query.older == nil || came.allSatisfy({ $0.id == nil }) {
      throw .unreadable("None of the \(skipped) posts that came could be read.")
    }
    let marks = came.compactMap { status in
      status.mark.map { PostMark(id: $0.id, key: places[$0.key] ?? $0.key) }
    }
    if circumstances.isPartial {
      return PageAnswer.Fetched(page: partial(entries, newest: marks.max(), query), skipped: skipped)
    }
    let stretch = marks.min().flatMap { low in marks.max().map { low...$0 } }
    if let since = query.since, query.older == nil, circumstances.pagesForward, isAbove(since, came) {
      let page = Page(entries: entries, older: PageCursor(since.id.text), reaches: since, stretch: stretch)
      return PageAnswer.Fetched(
        page: page, skipped: skipped, hasNewer: statuses.count >= min(max(query.count, 1), Self.fullPage))
    }
    let page = Page(
      entries: entries, older: cursor(below: came, query), reaches: saysNothingIsLeft(query) ? query.since : nil,
      stretch: stretch)
    return PageAnswer.Fetched(page: page, skipped: skipped)
  }

  /// Where posts stand whose ids do not say it: those of the same time in the order of the answer.
  private static func places(of came: [MastodonStatus]) -> [PostKey: PostKey] {
    var places: [PostKey: PostKey] = [:]
    var below: TimedPlace?
    for status in came.reversed() {
      guard let key = status.mark?.key, let place = TimedPlace(key), places[key] == nil else { continue }
      let rank = below?.milliseconds == place.milliseconds ? below!.rank + 1 : place.rank
      let ranked = place.at(rank: rank)
      places[key] = ranked.key
      below = ranked
    }
    return places
  }

  /// Whether a post is one that was asked for. A server that does not know `max_id` would otherwise answer with the same page for
  /// ever.
  private func isBelow(_ cursor: PageCursor?, _ status: MastodonStatus) -> Bool {
    guard let cursor else { return true }
    guard let limit = MastodonID.key(of: cursor.text), let key = status.id.flatMap({ MastodonID.key(of: $0) }) else {
      return status.id != cursor.text
    }
    return key < limit
  }

  /// Whether all posts are newer than a mark, by ids that say so themselves. An answer to `min_id` then joins that mark.
  private func isAbove(_ since: PostMark, _ came: [MastodonStatus]) -> Bool {
    MastodonID.key(of: since.id.text) != nil
      && came.allSatisfy { status in status.id.flatMap { MastodonID.key(of: $0) }.map { $0 > since.key } ?? false }
  }

  /// Where to read on: from the oldest post. Where ids do not say which one that is, from the last one of the answer.
  private func cursor(below came: [MastodonStatus], _ query: TimelineQuery) -> PageCursor? {
    let ids = came.compactMap(\.id)
    let sortable = ids.compactMap { id in MastodonID.key(of: id).map { (id: id, key: $0) } }
    if sortable.count == ids.count { return sortable.min { $0.key < $1.key }.map { PageCursor($0.id) } }
    // Of a last id that was the cursor already nothing new can come.
    let last = statuses.last { $0.id != nil }?.id
    return last == query.older?.text ? nil : last.map { PageCursor($0) }
  }

  /// Whether an empty answer proves that nothing lies between the cursor and the mark that was asked for. Where ids are only compared
  /// for equality, as those of snac, it may as well be that the post of that name was deleted.
  private func saysNothingIsLeft(_ query: TimelineQuery) -> Bool {
    guard statuses.isEmpty, let since = query.since, let older = query.older else { return false }
    return MastodonID.key(of: older.text) != nil && MastodonID.key(of: since.id.text) != nil
  }

  /// A page of a timeline that is not whole yet: its posts are taken, and nothing is said of what lies between them.
  ///
  /// Below others it is asked for again in the next round. As the newest page it claims its first post only; the rest is then a gap.
  private func partial(_ entries: [Page.Entry], newest: PostMark?, _ query: TimelineQuery) -> Page {
    guard let older = query.older else {
      return Page(
        entries: entries, older: newest.map { PageCursor($0.id.text) }, stretch: newest.map { $0...$0 })
    }
    guard let key = MastodonID.key(of: older.text) else { return Page(entries: [], older: older) }
    let mark = PostMark(id: PostID(older.text), key: key)
    return Page(entries: entries, older: older, stretch: mark...mark)
  }
}
