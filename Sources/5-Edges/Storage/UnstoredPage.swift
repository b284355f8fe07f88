package import Time
package import Timeline

/// A page of a timeline that arrived but could not be stored, because the disk is full or another process has locked the database. It is kept in
/// memory until it can be stored.
package struct UnstoredPage: Sendable {
  package let page: Page
  package let timeline: TimelineName
  package let place: PagePosition
  package let receivedAt: Timestamp
  /// The cost of the response, if requests are charged for.
  package let settlement: Settlement?
  /// The entity tag of the newest page; `nil` for other pages.
  package let entityTag: String?
  /// Whether the page is the newest one.
  package let isNewest: Bool

  package init(
    _ page: Page, of timeline: TimelineName, as place: PagePosition, receivedAt: Timestamp,
    settling settlement: Settlement?, entityTag: String?, isNewest: Bool
  ) {
    self.page = page
    self.timeline = timeline
    self.place = place
    self.receivedAt = receivedAt
    self.settlement = settlement
    self.entityTag = entityTag
    self.isNewest = isNewest
  }
}
