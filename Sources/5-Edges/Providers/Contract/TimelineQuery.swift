package import Time
package import Timeline

/// The requested part of a timeline; without bounds, its newest posts.
package struct TimelineQuery: Sendable, Hashable {
  package let timeline: TimelineName
  /// The server's name of the timeline, if it has one of its own; see `Provider.referenceRequest(for:)`.
  package let reference: String?
  /// The user's id, if the timeline's address contains it; `nil` before it is known.
  package let userID: String?
  /// Only posts below this position are requested; `nil` for the newest posts.
  package let older: PageCursor?
  /// Only posts above this post are requested.
  package let since: PostPosition?
  /// The maximum number of posts; the provider's page size limits it further.
  package let count: Int
  /// The entity tag of the last response to the same query, so that unchanged content need not be sent.
  package let etag: String?
  /// The current time, for a provider whose first page begins at a time.
  package let time: Timestamp?
  /// The scope of the user's filters on the server; `nil` if they are not applied. It affects only how the response is read.
  package let filters: FilterScope?

  package init(
    _ timeline: TimelineName = .home, reference: String? = nil, userID: String? = nil, older: PageCursor? = nil,
    since: PostPosition? = nil, count: Int, etag: String? = nil,
    time: Timestamp? = nil, filters: FilterScope? = nil
  ) {
    self.timeline = timeline
    self.reference = reference
    self.filters = filters
    self.time = time
    self.userID = userID
    self.older = older
    self.since = since
    self.count = count
    self.etag = etag
  }
}
