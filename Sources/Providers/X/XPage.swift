internal import CivilTime
internal import JSON
internal import Timeline

/// A timeline's answer made into a page.
struct XPage {
  /// How far X reaches back, less a little for the time that an answer takes. Below it an empty answer says nothing.
  private static let reach = Duration.seconds(7 * 86_400 - 3600)

  private let answer: XTimelineResponse
  private let writer: XPostWriter

  init(_ answer: XTimelineResponse, _ writer: XPostWriter) {
    self.answer = answer
    self.writer = writer
  }

  /// The page for what was asked for.
  ///
  /// Its stretch goes by the ids that came and not by the places of the posts: a later version of a post has an id of its own,
  /// while it keeps the place of the first one.
  /// - Throws: `ProviderError.unreadable` when posts came and none could be read, and none shows where to read on.
  func fetched(for query: XPageQuery, at now: Timestamp) throws(ProviderError) -> PageAnswer.Fetched {
    let marks = answer.posts.compactMap { post in
      post.id.flatMap { id in PostKey(decimal: PostID(id)).map { PostMark(id: PostID(id), key: $0) } }
    }.filter { query.asks(for: $0.key) }
    let versions = answer.posts.compactMap { writer.entry($0, in: answer) }
    // Of several versions the newest counts, which is the one with the largest id.
    let entries = versions.filter { PostKey(decimal: $0.post.id).map(query.asks) ?? false }
      .sorted { (PostKey(decimal: $0.post.id) ?? $0.key) > (PostKey(decimal: $1.post.id) ?? $1.key) }
    let skipped = answer.posts.count - versions.count
    if entries.isEmpty, skipped > 0, query.until == nil || marks.isEmpty {
      throw .unreadable("None of the \(skipped) posts that came could be read.")
    }
    let page = Page(
      entries: entries, older: marks.min().map { PageCursor($0.id.text) },
      reaches: saysNothingIsLeft(query, at: now) ? query.since : nil,
      stretch: marks.min().flatMap { low in marks.max().map { low...$0 } })
    return PageAnswer.Fetched(
      page: page, skipped: skipped, delivered: answer.delivered)
  }

  /// Whether the answer proves that nothing lies between its posts and the mark that was asked from.
  ///
  /// That is so when it has room left and names no next page, and agrees with itself: not when its count is another one than it
  /// says, posts are left out for errors, or others came than were asked for; and not where the mark lies beyond X's reach.
  private func saysNothingIsLeft(_ query: XPageQuery, at now: Timestamp) -> Bool {
    guard let since = query.since, !answer.hasNext, answer.posts.count < query.count,
      (answer.claimedCount ?? answer.posts.count) == answer.posts.count
    else { return false }
    let keys = answer.posts.compactMap { post in post.id.flatMap { PostKey(decimal: PostID($0)) } }
    guard keys.count == answer.posts.count, keys.allSatisfy(query.asks), !(answer.posts.isEmpty && answer.hasErrors)
    else { return false }
    return Snowflake.time(of: since.id.text).map { now - $0 <= Self.reach } ?? false
  }
}
