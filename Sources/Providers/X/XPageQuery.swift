internal import CivilTime
internal import HomelineOAuth
internal import Timeline

/// The bounds and parameters of a page request.
///
/// An older page is requested by `until_id`, which is exclusive, and not by X's `pagination_token`: such a token may
/// lead to an empty page or to itself, belongs to one query only, and does not show where it leads. An id remains valid
/// between two runs and shows whether a response is in the requested range.
struct XPageQuery {
  /// 1 to 100; always sent, since X's own default is not the same everywhere.
  let count: Int
  /// Only posts newer than this one.
  let since: PostPosition?
  /// Only posts older than this one.
  let until: String?

  init(_ query: TimelineQuery, pageSize: Int) {
    count = min(max(query.count, 1), pageSize)
    until = query.older?.text
    // X answers 400 unless `since_id` is less than `until_id`.
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

  /// Whether a post with this id is one that was asked for. A server that does not know `until_id` would otherwise answer with the
  /// same page for ever.
  func asks(for key: PostKey) -> Bool {
    guard let until, let limit = PostKey(decimal: PostID(until)) else { return true }
    return key < limit
  }
}

/// What X is asked for: without it a post is an id and a text.
///
/// X is renaming its posts: `tweet.fields` becomes `post.fields`, `referenced_tweets` becomes `referenced_posts`, and so on. The old
/// names are sent, since every server of the API knows them; both are read. No place is asked for: X forbids to keep places.
enum XFields {
  static let post = "created_at,author_id,referenced_tweets,entities,attachments,public_metrics,lang,note_tweet"
  static let user = "username,name,profile_image_url"
  static let media = "url,preview_image_url,type,alt_text,variants"
  static let expansions = "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys"

  static let postName = "tweet.fields"
  static let userName = "user.fields"
  static let mediaName = "media.fields"
}

/// The moment in X's ids: their upper bits count milliseconds (the form that Twitter called snowflake).
enum Snowflake {
  /// 2010-11-04T01:42:54.657Z, where the count begins.
  private static let epoch: Int64 = 1_288_834_974_657

  /// When a post with this id was written; `nil` for ids that do not fit 63 bits, or are from before the first such id.
  static func time(of id: String) -> Timestamp? {
    guard let number = Int64(id), number >= 29_700_000_000 else { return nil }
    return Timestamp(milliseconds: (number >> 22) + epoch)
  }
}
