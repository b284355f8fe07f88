package import Timeline

/// What a page was asked for as.
package enum PagePlace: Sendable, Hashable {
  /// The newest posts.
  case head
  /// What lies below a span: the cursor that this span had.
  case continuing(PageCursor)
}
