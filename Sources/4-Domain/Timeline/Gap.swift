/// The gap between two spans, which may contain posts that were never fetched. It is derived from the spans and never stored.
package struct Gap: Sendable, Hashable {
  /// The newest known post below the gap.
  package let after: PostPosition
  /// The oldest known post above the gap.
  package let before: PostPosition
  /// The cursor of the next request into the gap; `nil` if the provider no longer serves it.
  package let cursor: PageCursor?

  package init(after: PostPosition, before: PostPosition, cursor: PageCursor?) {
    self.after = after
    self.before = before
    self.cursor = cursor
  }

  package var isFillable: Bool { cursor != nil }
}
