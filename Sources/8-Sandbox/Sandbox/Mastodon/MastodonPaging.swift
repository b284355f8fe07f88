internal import HTTP
internal import HomelineOAuth

/// Selects the entries of a page, and writes the links to its neighbours.
struct MastodonPaging: Sendable {
  /// The ids that bound a page. They are not always those of the posts on it.
  let ids: MastodonIDWriter
  /// Whether a page links to its neighbours.
  var hasLinks = true
  /// Whether a page that is shorter than the limit has no link to the next one, as for bookmarks on Mastodon.
  var endsWithShortPage = false

  /// Returns the entries of a page, newest first. `since_id` selects the newest entries above an id, and `min_id` the entries directly
  /// above it.
  /// - Parameters:
  ///   - all: the entries, newest first.
  ///   - key: the number behind an entry's id.
  func page<Entry>(_ all: [Entry], _ query: MastodonQuery, key: (Entry) -> UInt64) -> ArraySlice<Entry> {
    ids.areOrdered ? byOrder(all, query, key) : byEquality(all, query, key)
  }

  private func byOrder<Entry>(
    _ all: [Entry], _ query: MastodonQuery, _ key: (Entry) -> UInt64
  ) -> ArraySlice<Entry> {
    let below = query.maxID.flatMap(ids.number)
    let above = (query.minID ?? query.sinceID).flatMap(ids.number)
    let asked = all.filter { entry in
      let key = key(entry)
      return below.map { key < $0 } ?? true && above.map { key > $0 } ?? true
    }
    return query.minID == nil ? asked.prefix(query.count) : asked.suffix(query.count)
  }

  /// Searches for an id from the newest entry down, as snac does. An unknown `max_id` selects no entries, and an unknown `since_id` all
  /// entries.
  private func byEquality<Entry>(
    _ all: [Entry], _ query: MastodonQuery, _ key: (Entry) -> UInt64
  ) -> ArraySlice<Entry> {
    var rest = all[...]
    if let maxID = query.maxID { rest = rest.drop { ids.text(key($0)) != maxID }.dropFirst() }
    if let minID = query.minID {
      return rest.prefix { ids.text(key($0)) != minID }.suffix(query.count)
    }
    if let sinceID = query.sinceID { rest = rest.prefix { ids.text(key($0)) != sinceID } }
    return rest.prefix(query.count)
  }

  /// Returns the links to the next and previous pages (RFC 8288); an empty page has none.
  /// - Parameter keys: the numbers behind the ids of the page's entries.
  func link(_ keys: [UInt64], _ query: MastodonQuery, to request: Request, _ writer: MastodonWriter) -> String? {
    guard hasLinks, writer.quirks.links != .missing else { return nil }
    let host = writer.quirks.links == .toAnotherHost ? "https://else.example" : writer.base
    let path = host + request.target.path
    guard let newest = keys.first, let oldest = keys.last else {
      guard writer.quirks.links == .endless else { return nil }
      let number = query.value("page").flatMap { Int($0) } ?? 0
      return "<\(path)?\(query.maxID.map { "max_id=\(PercentEncoding.encode($0))&" } ?? "")"
        + "page=\((number % 1_000_000) + 1)>; rel=\"next\""
    }
    let isForward = writer.flavour.pagesForward
    // snac omits the limit.
    let limit = isForward ? "limit=\(query.limit)&" : ""
    let others = query.repeated.isEmpty ? "" : FormEncoding.encode(query.repeated) + "&"
    let start = "<\(path)?\(limit)\(others)"
    let previous = "\(start)\(isForward ? "min_id" : "since_id")=\(ids.text(newest))>; rel=\"prev\""
    if writer.quirks.links == .toItself {
      return "<\(path)\(request.target.query.map { "?" + $0 } ?? "")>; rel=\"next\", " + previous
    }
    if endsWithShortPage, keys.count < query.limit, writer.quirks.links != .endless { return previous }
    return "\(start)max_id=\(ids.text(oldest))>; rel=\"next\", " + previous
  }
}
