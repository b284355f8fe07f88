/// The result of storing a page.
package struct StoredPage: Sendable {
  /// The added posts, newest first.
  package let new: [KnownPost]
  /// Whether the state was not written; see ``PageWrite/defersQuietState``.
  package let isStateDeferred: Bool

  package init(new: [KnownPost], isStateDeferred: Bool) {
    self.new = new
    self.isStateDeferred = isStateDeferred
  }
}
