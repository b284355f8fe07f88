package import CivilTime

/// What is odd about a played server of Mastodon's API for as long as it is set.
package struct MastodonFaults: Sendable {
  /// A timeline that the server is still putting together (status 206).
  package enum Partial: Sendable {
    case empty
    /// Every other post only.
    case someMissing
  }

  /// What the `Link` header is like.
  package enum Links: Sendable { case own, missing, toAnotherHost }

  /// How the end of a limit is written.
  package enum Reset: Sendable, Equatable {
    /// RFC 3339 with so many decimals.
    case moment(decimals: Int)
    case unixSeconds
  }

  package enum LimitPage: Sendable { case json, html }

  /// What has become of the whole server.
  package enum Fate: Sendable {
    /// A web page of whoever has the domain now, with status 200.
    case parked
    /// Moved there, with 301 on every path.
    case moved(to: String)
  }

  package var partial: Partial?
  package var links = Links.own
  /// nil: as the server does by itself.
  package var reset: Reset?
  package var limitPage = LimitPage.json
  package var fate: Fate?
  /// Posts that were deleted, by their ids: neither the timeline nor their own address shows them.
  package var deleted: Set<String> = []
  /// Posts that the timeline leaves out, by their ids, as after an unfollow; their own addresses show them.
  package var unlisted: Set<String> = []
  /// Each post whose number this divides has another text from a moment on.
  package var edited: (every: Int, since: Timestamp)?
  /// What was boosted is deleted.
  package var hollowBoosts = false
  /// Texts and names are made to do harm: controls, bidi overrides, NUL, invalid UTF-8, great length.
  package var hostile = false

  package init() {}
}
