internal import HomelineOAuth
internal import Timeline

/// The bounds and parameters of a page request.
///
/// An older page is requested with `until_id`, which is exclusive, and not with X's `pagination_token`. Such a token may lead to an
/// empty page or to the same page again, is valid for only one query, and does not show its position. An id remains valid between two
/// runs and shows whether a response is in the requested range.
struct XPageQuery {
  /// The number of posts, 1 to 100. It is always sent, because X's default varies.
  let count: Int
  /// Only posts above this post are requested.
  let since: PostPosition?
  /// Only posts below this post are requested.
  let until: String?

  init(_ query: TimelineQuery, pageSize: Int) {
    count = min(max(query.count, 1), pageSize)
    until = query.older?.text
    // X responds with 400 unless `since_id` is less than `until_id`.
    let limit = query.older.flatMap { PostKey(decimal: PostID($0.text)) }
    since = query.since.flatMap { since in
      guard let limit, let key = PostKey(decimal: since.id), key >= limit else { return since }
      return nil
    }
  }

  var parameters: [Parameter] {
    var parameters = [
      Parameter("max_results", "\(count)"), Parameter(XFields.postName, XFields.post),
      Parameter("expansions", XFields.expansions), Parameter(XFields.userName, XFields.user),
      Parameter(XFields.mediaName, XFields.media),
    ]
    if let since { parameters.append(Parameter("since_id", since.id.text)) }
    if let until { parameters.append(Parameter("until_id", until)) }
    return parameters
  }

  /// Returns whether a post with this id was requested. Without this check, paging would never end on a server that does not support
  /// `until_id`.
  func asks(for key: PostKey) -> Bool {
    guard let until, let limit = PostKey(decimal: PostID(until)) else { return true }
    return key < limit
  }
}
