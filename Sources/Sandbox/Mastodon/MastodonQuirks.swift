internal import CivilTime

/// Unusual behaviour of a simulated server with Mastodon's API.
struct MastodonQuirks: Sendable {
  /// A home timeline that the server has not built completely (status 206).
  enum Partial: Sendable {
    case empty
    /// Every other post is missing.
    case someMissing
  }

  /// The `Link` header.
  enum Links: Sendable { case own, missing, toAnotherHost }

  /// How the time is written at which a rate limit is reset.
  enum Reset: Sendable, Equatable {
    /// RFC 3339 with this many decimals.
    case moment(decimals: Int)
    case unixSeconds
  }

  /// The body of the response to a client that has made too many requests.
  enum LimitPage: Sendable { case json, html }

  /// What happened to the whole server.
  enum Fate: Sendable {
    /// The domain has a new owner, whose web page is sent with status 200.
    case parked
    /// Every path redirects to this server (301).
    case moved(to: String)
  }

  var partial: Partial?
  var links = Links.own
  /// `nil` for the usual form of the server.
  var reset: Reset?
  var limitPage = LimitPage.json
  var fate: Fate?
  /// The ids of deleted posts: missing in the timeline, and not found by themselves.
  var deleted: Set<String> = []
  /// The ids of posts that are missing in the timeline, as after an unfollow, but are found by themselves.
  var unlisted: Set<String> = []
  /// Posts whose number is divisible by `every` have a different text since this time.
  var edited: (every: Int, since: Timestamp)?
  /// The originals of boosts are deleted.
  var hollowBoosts = false
  /// Texts and names contain controls, bidi overrides, NUL and invalid UTF-8, and are very long.
  var hostile = false
}
