package import Timeline

/// A gap as readers of the file see it: between which two posts others may be missing.
package struct PublishedGap: Sendable, Hashable {
  /// The newest known post below.
  package let after: PostID
  /// The oldest known post above.
  package let before: PostID
  /// Whether the provider can still be asked for what lies between.
  package let isFillable: Bool

  package init(after: PostID, before: PostID, isFillable: Bool) {
    self.after = after
    self.before = before
    self.isFillable = isFillable
  }

  package init(_ gap: Gap) { self.init(after: gap.after.id, before: gap.before.id, isFillable: gap.isFillable) }
}
