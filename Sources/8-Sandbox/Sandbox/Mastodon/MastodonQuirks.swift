internal import HTTP
internal import Settings
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
  enum Links: Sendable {
    case own, missing, toAnotherHost
    /// The next page is the same page.
    case toItself
    /// Even an empty page has a next one.
    case endless
  }

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
  var timelines = TimelineQuirks()
  /// Whether all ids are hexadecimal and not ordered, as on snac.
  var hasUnorderedIDs = false
  /// Whether `min_id` selects the newest entries above an id, as for some of snac's timelines.
  var treatsMinIDAsSinceID = false
  /// Whether hashtag timelines are switched off: they are empty.
  var disablesTags = false
  /// Whether a missing scope is answered with 401, as by WordPress.
  var refusesScopesAsUnauthorized = false
  /// Whether another program sets the markers at the same time, so that a request to set them fails.
  var conflictsOnMarkers = false
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

  /// Returns the quirks for a request, including that of a fault.
  func applied(to request: Request) -> MastodonQuirks {
    guard let fault = TimelineQuirks.fault(of: request) else { return self }
    var quirks = self
    quirks.timelines = timelines.with(fault)
    switch fault {
    case .idsUnordered: quirks.hasUnorderedIDs = true
    case .minIDAsSinceID: quirks.treatsMinIDAsSinceID = true
    case .tagsDisabled: quirks.disablesTags = true
    case .scopeUnauthorized: quirks.refusesScopesAsUnauthorized = true
    case .linkToAnotherHost: quirks.links = .toAnotherHost
    case .linkToItself: quirks.links = .toItself
    case .linkEndless: quirks.links = .endless
    case .markerConflict: quirks.conflictsOnMarkers = true
    default: break
    }
    return quirks
  }
}

/// A filter that a user has set up on the simulated server.
struct MastodonFilter: Sendable {
  var title: String
  var action = "hide"
  var contexts = ["home"]
  var expiresAt: Timestamp?
}
