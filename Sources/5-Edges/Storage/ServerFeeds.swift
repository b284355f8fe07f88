package import Time
package import Timeline

/// What a server's public description says about restricted timelines, and when it was requested.
package struct ServerFeeds: Sendable, Hashable {
  /// When homeline last requested the description, even if no description arrived.
  package var askedAt: Timestamp
  /// The restricted kinds of timelines, as in the last description that arrived.
  package var restricted: [TimelineName.Kind: FeedAccess]

  package init(askedAt: Timestamp, restricted: [TimelineName.Kind: FeedAccess] = [:]) {
    self.askedAt = askedAt
    self.restricted = restricted
  }
}
