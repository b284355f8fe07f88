/// An action on a published post, other than a reply. Each action sets a state, but some servers treat a repeated request differently: they
/// publish a second repost, or report an error.
package struct PostAction: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Removes one of the user's own posts from the server. This cannot be undone.
    case delete
    case repost, like, bookmark
  }

  package let kind: Kind
  /// Whether the action undoes an earlier one.
  package let isUndone: Bool

  /// Creates an action; `nil` to undo an action that cannot be undone.
  package init?(_ kind: Kind, isUndone: Bool = false) {
    if kind == .delete, isUndone { return nil }
    self.kind = kind
    self.isUndone = isUndone
  }
}
