internal import JSON
internal import Time
internal import Timeline

/// Converts a timeline response to a page.
struct XPage {
  /// The age of the oldest posts that X returns, minus a margin for the request. An empty response for older posts proves nothing.
  private static let reach = Duration.seconds(7 * 86_400 - 3600)

  private let response: XTimelineResponse
  private let writer: XPostWriter

  init(_ response: XTimelineResponse, _ writer: XPostWriter) {
    self.response = response
    self.writer = writer
  }

  /// Returns the page for a query.
  ///
  /// The covered range is derived from the received ids and not from the posts' positions: an edited post has its own id, but
  /// keeps the position of the original.
  /// - Throws: `ProviderFailure.unreadable` if no post could be read and none shows where to continue.
  func fetched(for query: XPageQuery, at now: Timestamp) throws(ProviderFailure) -> PageResponse.Fetched {
    let marks = response.posts.compactMap { post in
      post.id.flatMap { id in PostKey(decimal: PostID(id)).map { PostPosition(id: PostID(id), key: $0) } }
    }.filter { query.asks(for: $0.key) }
    let versions = response.posts.compactMap { writer.entry($0, in: response) }
    // If there are several versions, the newest one is used. It has the largest id.
    let entries = versions.filter { PostKey(decimal: $0.post.id).map(query.asks) ?? false }
      .sorted { (PostKey(decimal: $0.post.id) ?? $0.key) > (PostKey(decimal: $1.post.id) ?? $1.key) }
    let skipped = response.posts.count - versions.count
    if entries.isEmpty, skipped > 0, query.until == nil || marks.isEmpty {
      throw .unreadable("None of the \(skipped) posts in the response could be read.")
    }
    let page = Page(
      entries: entries, older: marks.min().map { PageCursor($0.id.text) },
      reaches: saysNothingIsLeft(query, at: now) ? query.since : nil,
      stretch: marks.min().flatMap { low in marks.max().map { low...$0 } })
    return PageResponse.Fetched(
      page: page, skipped: skipped, delivered: response.delivered)
  }

  /// Returns whether the response proves that there is no post between its posts and the requested mark.
  ///
  /// The response must have fewer posts than requested and no cursor for a next page. It must be consistent: its count is correct, no
  /// post is missing because of an error, and no post is outside the requested range. The mark must be within X's reach.
  private func saysNothingIsLeft(_ query: XPageQuery, at now: Timestamp) -> Bool {
    guard let since = query.since, !response.hasNext, response.posts.count < query.count,
      (response.claimedCount ?? response.posts.count) == response.posts.count
    else { return false }
    let keys = response.posts.compactMap { post in post.id.flatMap { PostKey(decimal: PostID($0)) } }
    guard keys.count == response.posts.count, keys.allSatisfy(query.asks),
      !(response.posts.isEmpty && response.hasErrors)
    else { return false }
    return Snowflake.time(of: since.id.text).map { now - $0 <= Self.reach } ?? false
  }
}
