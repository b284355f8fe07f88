package import Time

/// The place and time that a user's filters are evaluated for.
package struct FilterScope: Sendable, Hashable {
  /// The kind of timeline, by its name in Mastodon's API.
  package enum Context: String, Sendable { case home, notifications, `public`, account }

  package let context: Context
  /// The current time. Some filters may have expired by then.
  package let time: Timestamp

  package init(_ context: Context, at time: Timestamp) {
    self.context = context
    self.time = time
  }
}
