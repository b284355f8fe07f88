package import CivilTime
package import Timeline

/// The part of the timeline that a page was requested for.
package enum PagePosition: Sendable, Hashable {
  /// The newest posts.
  case head
  /// The posts below a span. The cursor is stored with the span.
  case continuing(PageCursor)
  /// Posts that are not from a page, such as the user's own. They prove nothing about the posts around them.
  case single
}

/// A page that was received but could not be stored, because the disk is full or another process has locked the database. It is kept in
/// memory until it can be stored.
package struct UnstoredPage: Sendable {
  package let page: Page
  package let place: PagePosition
  package let receivedAt: Timestamp
  /// The cost of the response, if requests are charged for.
  package let settlement: Settlement?
  /// The entity tag of the newest page; `nil` for other pages.
  package let entityTag: String?
  /// Whether the page is the newest one.
  package let isNewest: Bool

  package init(
    _ page: Page, as place: PagePosition, receivedAt: Timestamp, settling settlement: Settlement?, entityTag: String?,
    isNewest: Bool
  ) {
    self.page = page
    self.place = place
    self.receivedAt = receivedAt
    self.settlement = settlement
    self.entityTag = entityTag
    self.isNewest = isNewest
  }
}

/// A page to store: its posts, its cost and the new state. They are stored together or not at all.
package struct PageWrite: Sendable {
  package let page: Page
  package let place: PagePosition
  package let receivedAt: Timestamp
  /// The cost of the response, if requests are charged for.
  package let settlement: Settlement?
  /// The limits beyond which old posts are removed in the same write.
  package let retention: Retention
  /// The new state; `nil` to leave it unchanged.
  package let state: AccountState?
  /// Whether to write nothing if the page changes and costs nothing and the states differ only in refresh times. The writer then keeps
  /// the new state in memory.
  package let defersQuietState: Bool

  package init(
    _ page: Page, as place: PagePosition, receivedAt: Timestamp, settling settlement: Settlement? = nil,
    keeping retention: Retention = Retention(), state: AccountState? = nil, defersQuietState: Bool = false
  ) {
    self.page = page
    self.place = place
    self.receivedAt = receivedAt
    self.settlement = settlement
    self.retention = retention
    self.state = state
    self.defersQuietState = defersQuietState
  }
}

/// The result of storing a page.
package struct StoredPage: Sendable {
  /// The posts that were added, newest first.
  package let new: [KnownPost]
  /// Whether the state was not written; see ``PageWrite/defersQuietState``.
  package let isStateDeferred: Bool

  package init(new: [KnownPost], isStateDeferred: Bool) {
    self.new = new
    self.isStateDeferred = isStateDeferred
  }
}
