package import CivilTime
package import Timeline

/// What a page was asked for as.
package enum PagePosition: Sendable, Hashable {
  /// The newest posts.
  case head
  /// What lies below a span: the cursor that this span had.
  case continuing(PageCursor)
}

/// A page that a provider has answered and that the database has not taken, because its disk is full or another process keeps it locked:
/// kept in memory until it does.
package struct UnstoredPage: Sendable {
  package let page: Page
  package let place: PagePosition
  package let receivedAt: Timestamp
  /// What the answer has cost, where that is counted.
  package let settlement: Settlement?
  /// The entity tag of the newest page; `nil` for a page below it.
  package let entityTag: String?
  /// Whether it is the newest page.
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

/// A page to be stored: its posts, what they cost, and what the answer means for the state, together or not at all.
package struct PageWrite: Sendable {
  package let page: Page
  package let place: PagePosition
  package let receivedAt: Timestamp
  /// What the answer has cost, where that is counted.
  package let settlement: Settlement?
  /// What is let go of with it.
  package let retention: Retention
  /// The state afterwards; `nil` where it stays as it is.
  package let state: AccountState?
  /// Whether the writer keeps the state itself, and stores it with a later change, where the page changes and costs nothing and the state
  /// differs only in the times of refreshes. Then nothing is written.
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

/// The outcome of storing a page.
package struct StoredPage: Sendable {
  /// The posts that were not known before, newest first.
  package let new: [KnownPost]
  /// Whether the state was left to the writer; see ``PageWrite/defersQuietState``.
  package let isStateDeferred: Bool

  package init(new: [KnownPost], isStateDeferred: Bool) {
    self.new = new
    self.isStateDeferred = isStateDeferred
  }
}
