package import Timeline

/// A gap in the published file: posts may be missing between these two.
package struct PublishedGap: Sendable, Hashable {
  /// The newest known post below the gap.
  let after: PostID
  /// The oldest known post above the gap.
  package let before: PostID
  /// Whether the missing posts can still be requested from the provider.
  package let isFillable: Bool

  package init(after: PostID, before: PostID, isFillable: Bool) {
    self.after = after
    self.before = before
    self.isFillable = isFillable
  }

  package init(_ gap: Gap) { self.init(after: gap.after.id, before: gap.before.id, isFillable: gap.isFillable) }
}
