package import Time
package import Timeline

/// A page of a timeline to store: its posts, its cost and the new state. They are stored together or not at all.
package struct PageWrite: Sendable {
  package let page: Page
  package let timeline: TimelineName
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
  /// Whether the user's filters on the server apply. If not, the posts that they have hidden are shown again.
  package let keepsFiltered: Bool
  /// The result of a walk that ends with this page: entries that it has not found are removed. `nil` to remove none.
  package let walked: WalkedMarks?

  package init(
    _ page: Page, of timeline: TimelineName, as place: PagePosition, receivedAt: Timestamp,
    settling settlement: Settlement? = nil, keeping retention: Retention = Retention(), state: AccountState? = nil,
    defersQuietState: Bool = false,
    keepsFiltered: Bool = true, walked: WalkedMarks? = nil
  ) {
    self.page = page
    self.timeline = timeline
    self.place = place
    self.receivedAt = receivedAt
    self.settlement = settlement
    self.retention = retention
    self.state = state
    self.defersQuietState = defersQuietState
    self.keepsFiltered = keepsFiltered
    self.walked = walked
  }
}
