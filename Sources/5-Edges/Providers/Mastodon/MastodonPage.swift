internal import JSON
internal import Time
internal import Timeline

/// Facts about a timeline response that are not in its body.
struct MastodonCircumstances {
  /// Whether the server is still building the timeline (206), so any post may be missing.
  let isPartial: Bool
  /// Whether the response has a link that pages upwards with `min_id`. Such a link shows that the server supports this parameter.
  let pagesForward: Bool
}

/// The links of a page in the order of the user's marks.
struct MastodonWalkLinks {
  /// What the server calls the next page; `nil` if there is none, or if the link leads to another server or path.
  let next: String?
  /// Whether the response has a link to a next page and to a previous page, wherever they lead.
  let hasNext: Bool
  let hasPrevious: Bool
}

/// An element of a timeline response, or as much of it as could be read.
protocol MastodonItem {
  /// What messages call several of them.
  static var plural: String { get }

  /// Consumes any value.
  init(_ cursor: inout JSONCursor) throws

  var id: String? { get }
  /// The position in the timeline, if known.
  var mark: PostPosition? { get }

  /// Returns whether a timeline of a kind shows the item.
  func isShown(in kind: TimelineName.Kind) -> Bool

  /// Returns what the timeline contains; `nil` if too much could not be read.
  /// - Parameters:
  ///   - scope: the scope of the filters to apply; `nil` to apply none.
  ///   - userID: the timeline's user.
  func entry(filteredIn scope: FilterScope?, for userID: String?) -> Page.Entry?
}

/// Converts a timeline response to a page.
struct MastodonPage<Item: MastodonItem> {
  /// A page with this many posts counts as full, even if more were requested. It is the default of Mastodon's API and the maximum
  /// of many servers. Posts that the server filters out count towards the requested number without being returned.
  private static var fullPage: Int { 20 }

  private let items: [Item]

  /// - Throws: `JSONError` for anything but a JSON array. Unreadable posts are skipped and counted.
  init(_ cursor: inout JSONCursor) throws {
    var items: [Item] = []
    try cursor.pageElements { cursor in items.append(try Item(&cursor)) }
    self.items = items
  }

  /// Returns the page for a query.
  /// - Throws: `ProviderFailure.unreadable` if no post could be read and none shows where to continue.
  func fetched(
    for query: TimelineQuery, _ circumstances: MastodonCircumstances
  ) throws(ProviderFailure) -> PageResponse.Fetched {
    let came = items.filter { isBelow(query.older, $0) }
    let shown = came.filter { $0.isShown(in: query.timeline.kind) }
    let places = Self.places(of: came)
    let entries = shown.compactMap { item in
      item.entry(filteredIn: query.filters, for: query.userID).map { entry in
        places[entry.key].map { entry.at($0) } ?? entry
      }
    }
    let skipped = shown.count - entries.count
    if query.older == nil || came.allSatisfy({ $0.id == nil }) { try check(entries, of: shown) }
    let marks = came.compactMap { item in
      item.mark.map { PostPosition(id: $0.id, key: places[$0.key] ?? $0.key) }
    }
    if circumstances.isPartial {
      return PageResponse.Fetched(page: partial(entries, newest: marks.max(), query), skipped: skipped)
    }
    let stretch = marks.min().flatMap { low in marks.max().map { low...$0 } }
    if let since = query.since, query.older == nil, circumstances.pagesForward, isAbove(since, came) {
      let page = Page(entries: entries, older: PageCursor(since.id.text), reaches: since, stretch: stretch)
      return PageResponse.Fetched(
        page: page, skipped: skipped, hasNewer: items.count >= min(max(query.count, 1), Self.fullPage))
    }
    let page = Page(
      entries: entries, older: cursor(below: came, query), reaches: saysNothingIsLeft(query) ? query.since : nil,
      stretch: stretch)
    return PageResponse.Fetched(page: page, skipped: skipped)
  }

  /// Returns the page of a walk through posts in the order of the user's marks. The server's ids of the marks appear only in its links, so
  /// the posts are numbered from the beginning of the walk.
  /// - Parameters:
  ///   - time: when a walk that begins with this page begins.
  ///   - links: the links to other pages.
  func walked(
    for query: TimelineQuery, at time: Timestamp, _ links: MastodonWalkLinks
  ) throws(ProviderFailure) -> PageResponse.Fetched {
    let link = links.next
    var position = query.older.flatMap { MarkedPosition($0) } ?? MarkedPosition(begunAt: query.time ?? time)
    let shown = items.filter { $0.isShown(in: query.timeline.kind) }
    var entries: [Page.Entry] = []
    for item in shown {
      guard let entry = item.entry(filteredIn: nil, for: query.userID) else { continue }
      entries.append(entry.marked(at: position.key(of: entry.post.id)))
      position.number += 1
    }
    try check(entries, of: shown)
    let isEnd = link == nil || link == position.link || items.isEmpty
    position.link = link
    // snac has no links, and its page may have been cut off.
    let isLast = !links.hasNext && (links.hasPrevious || items.count < Self.fullPage)
    return PageResponse.Fetched(
      page: Page(entries: entries, older: isEnd ? nil : position.cursor), skipped: shown.count - entries.count,
      isLast: isLast && shown.count == entries.count)
  }

  /// - Throws: `ProviderFailure.unreadable` if items came, but none could be read.
  private func check(_ entries: [Page.Entry], of shown: [Item]) throws(ProviderFailure) {
    if entries.isEmpty, !shown.isEmpty {
      throw .unreadable("None of the \(shown.count) \(Item.plural) in the response could be read.")
    }
  }

  /// Returns the positions of posts with unordered ids: posts with the same time keep the order of the response.
  private static func places(of came: [Item]) -> [PostKey: PostKey] {
    var places: [PostKey: PostKey] = [:]
    var below: TimedPosition?
    for item in came.reversed() {
      guard let key = item.mark?.key, let place = TimedPosition(key), places[key] == nil else { continue }
      let rank = below?.milliseconds == place.milliseconds ? below!.rank + 1 : place.rank
      let ranked = place.at(rank: rank)
      places[key] = ranked.key
      below = ranked
    }
    return places
  }

  /// Returns whether a post is in the requested range. Without this check, paging would never end on a server that ignores `max_id`.
  private func isBelow(_ cursor: PageCursor?, _ item: Item) -> Bool {
    guard let cursor else { return true }
    guard let limit = MastodonID.key(of: cursor.text), let key = item.id.flatMap({ MastodonID.key(of: $0) }) else {
      return item.id != cursor.text
    }
    return key < limit
  }

  /// Returns whether all posts have ordered ids above the mark. If so, a response to `min_id` joins the mark.
  private func isAbove(_ since: PostPosition, _ came: [Item]) -> Bool {
    MastodonID.key(of: since.id.text) != nil
      && came.allSatisfy { item in item.id.flatMap { MastodonID.key(of: $0) }.map { $0 > since.key } ?? false }
  }

  /// Returns the cursor: the oldest post, or the last one in the response if ids are unordered.
  private func cursor(below came: [Item], _ query: TimelineQuery) -> PageCursor? {
    let ids = came.compactMap(\.id)
    let sortable = ids.compactMap { id in MastodonID.key(of: id).map { (id: id, key: $0) } }
    if sortable.count == ids.count { return sortable.min { $0.key < $1.key }.map { PageCursor($0.id) } }
    // If the last id equals the cursor, there are no more posts.
    let last = items.last { $0.id != nil }?.id
    return last == query.older?.text ? nil : last.map { PageCursor($0) }
  }

  /// Returns whether an empty response proves that there is nothing between the cursor and the requested mark. With unordered ids, such
  /// as snac's, the marked post may instead have been deleted.
  private func saysNothingIsLeft(_ query: TimelineQuery) -> Bool {
    guard items.isEmpty, let since = query.since, let older = query.older else { return false }
    return MastodonID.key(of: older.text) != nil && MastodonID.key(of: since.id.text) != nil
  }

  /// Returns the page from an incomplete timeline. Its posts are used, but prove nothing about the range between them.
  ///
  /// An older page is requested again in the next round. The newest page covers only its first post; the rest remains a gap.
  private func partial(_ entries: [Page.Entry], newest: PostPosition?, _ query: TimelineQuery) -> Page {
    guard let older = query.older else {
      return Page(
        entries: entries, older: newest.map { PageCursor($0.id.text) }, stretch: newest.map { $0...$0 })
    }
    guard let key = MastodonID.key(of: older.text) else { return Page(entries: [], older: older) }
    let mark = PostPosition(id: PostID(older.text), key: key)
    return Page(entries: entries, older: older, stretch: mark...mark)
  }
}
