/// The effect of a server's filter on a post.
extension Post {
  /// Whether a filter hides the post.
  package var isHidden: Bool { filter?.action == .hide }

  /// The content warning that covers the media alone; `nil` if there is none.
  package var mediaWarning: String? { filter.flatMap { $0.action == .blur ? $0.warning : nil } }

  /// Separates the warning of a filter from the author's own content warning.
  private static let separator = "; "

  /// Returns the post with the effect of a filter. `warn` becomes a content warning, before the author's own one.
  package func filtered(by filter: ServerFilter?) -> Post {
    var post = unfiltered
    guard let filter else { return post }
    post.filter = filter
    if filter.action == .warn { post.text = Self.text(post.text, warning: filter.warning) }
    return post
  }

  /// Returns text with a content warning before the author's own one.
  package static func text(_ text: String, warning: String) -> String {
    guard let own = WarnedText(text) else { return WarnedText(warning: warning, rest: text).text }
    return WarnedText(warning: warning + separator + own.warning, rest: own.rest).text
  }

  /// The post as it is without a filter.
  package var unfiltered: Post {
    guard filter != nil else { return self }
    var post = self
    (post.text, post.filter) = (unfilteredText, nil)
    return post
  }

  /// The text without the warning of a filter. A filter that begins or ends to match does not count as an edit of the post.
  package var unfilteredText: String {
    guard let filter, filter.action == .warn, let warned = WarnedText(text) else { return text }
    if warned.warning == filter.warning { return warned.rest }
    let added = filter.warning + Self.separator
    guard warned.warning.utf8.starts(with: added.utf8) else { return text }
    // The texts are divided at their bytes, because the author's warning may begin with a combining mark.
    let own = String(Substring(warned.warning.utf8.dropFirst(added.utf8.count)))
    return WarnedText(warning: own, rest: warned.rest).text
  }
}
