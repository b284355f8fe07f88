package import Timeline

/// The part of the timeline that a page was requested for.
package enum PagePosition: Sendable, Hashable {
  /// The newest posts.
  case head
  /// The posts below a span. The cursor is stored with the span.
  case continuing(PageCursor)
  /// Posts that are not from a page, such as the user's own posts. They prove nothing about the posts around them.
  case single
}
