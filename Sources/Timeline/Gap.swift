/// The space between two spans: posts may lie there that were never fetched. Derived from the spans, never stored.
package struct Gap: Sendable, Hashable {
  /// The newest known post below the gap.
  package let after: PostMark
  /// The oldest known post above the gap.
  package let before: PostMark
  /// How to ask for what lies in it; `nil` when the provider no longer reaches it.
  package let cursor: PageCursor?

  package init(after: PostMark, before: PostMark, cursor: PageCursor?) {
    self.after = after
    self.before = before
    self.cursor = cursor
  }

  package var isFillable: Bool { cursor != nil }
}
