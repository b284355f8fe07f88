/// The effect that a user's filters on the server have on one post.
package struct ServerFilter: Sendable, Hashable {
  package enum Action: String, Sendable, CaseIterable {
    /// The post is not shown. It stays in the archive.
    case hide
    /// A content warning covers the post until the reader opens it.
    case warn
    /// Only the post's media are covered.
    case blur
  }

  package let action: Action
  /// The titles of the filters that match the post, on one line; empty if they have none.
  package let title: String

  /// - Parameter title: is put on one line and is truncated like a name.
  package init(_ action: Action, title: String) {
    self.action = action
    self.title = PostLimits.cut(title.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: PostLimits.name)
  }

  /// The content warning for the post or its media.
  package var warning: String { title.isEmpty ? "Filtered" : "Filtered: \(title)" }
}
