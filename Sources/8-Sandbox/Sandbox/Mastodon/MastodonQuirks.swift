internal import Time

/// Unusual behaviour of a simulated Mastodon-compatible server.
struct MastodonQuirks: Sendable {
  /// A home timeline that the server has not finished building (status 206).
  enum Partial: Sendable {
    case empty
    /// Every other post is missing.
    case someMissing
  }

  /// The `Link` header.
  enum Links: Sendable { case own, missing, toAnotherHost }

  /// The format of a rate limit's reset time.
  enum Reset: Sendable, Equatable {
    /// RFC 3339 with this many decimal places.
    case moment(decimals: Int)
    case unixSeconds
  }

  /// The body of the response to a client that has made too many requests.
  enum LimitPage: Sendable { case json, html }

  /// A change that affects the whole server.
  enum Fate: Sendable {
    /// The domain has a new owner, whose web page is sent with status 200.
    case parked
    /// Every path redirects to this server (301).
    case moved(to: String)
  }

  var partial: Partial?
  var links = Links.own
  /// The format of the reset time; `nil` for the server's usual format.
  var reset: Reset?
  var limitPage = LimitPage.json
  /// Whether the server knows only the scopes `read` and `write`, as Takahē does.
  var hasCoarseScopes = false
  var fate: Fate?
  /// The ids of deleted posts. They are missing from the timeline, and are not found when requested individually.
  var deleted: Set<String> = []
  /// The ids of posts that are missing from the timeline, as after an unfollow, but are found when requested individually.
  var unlisted: Set<String> = []
  /// Whether the user is a moderator, who may delete other users' posts.
  var isModerator = false
  /// The posts to edit: from this time on, the text of posts whose number is divisible by `every` is different.
  var edited: (every: Int, since: Timestamp)?
  /// The user's filters that match posts, by the ids of these posts. A boost matches like the boosted post.
  var filters: [String: [MastodonFilter]] = [:]
  /// Whether the originals of boosts have been deleted.
  var hollowBoosts = false
  /// Whether posts and names are very long and contain control characters, bidirectional overrides, NUL and invalid UTF-8.
  var hostile = false
  /// The number of responses that report a video as being processed, on servers that process videos.
  var processingPolls = 2
  /// Whether processing finally fails.
  var failsProcessing = false
}

/// A filter that a user has set up on the simulated server.
struct MastodonFilter: Sendable {
  var title: String
  var action = "hide"
  var contexts = ["home"]
  var expiresAt: Timestamp?
}
