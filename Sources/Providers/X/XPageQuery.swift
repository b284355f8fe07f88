internal import CivilTime
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
  /// The post above which posts are requested.
  let since: PostPosition?
  /// The post below which posts are requested.
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

/// The fields that are requested from X. Without them, a post consists of an id and a text.
///
/// X is renaming its posts: `tweet.fields` becomes `post.fields`, `referenced_tweets` becomes `referenced_posts`, and so on. The old names
/// are sent, because every server with this API supports them. In responses, both old and new names are read. Places are not requested,
/// because X forbids storing them.
enum XFields {
  static let post = "created_at,author_id,referenced_tweets,entities,attachments,public_metrics,lang,note_tweet"
  static let user = "username,name,profile_image_url"
  static let media = "url,preview_image_url,type,alt_text,variants"
  static let expansions = "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys"

  static let postName = "tweet.fields"
  static let userName = "user.fields"
  static let mediaName = "media.fields"
}

/// The time in X's ids: their upper bits count milliseconds (Twitter called this format snowflake).
enum Snowflake {
  /// 2010-11-04T01:42:54.657Z, the start of the count.
  private static let epoch: Int64 = 1_288_834_974_657

  /// Returns the time when a post with this id was written; `nil` for ids that do not fit into 63 bits, or are older than this format.
  static func time(of id: String) -> Timestamp? {
    guard let number = Int64(id), number >= 29_700_000_000 else { return nil }
    return Timestamp(milliseconds: (number >> 22) + epoch)
  }
}
