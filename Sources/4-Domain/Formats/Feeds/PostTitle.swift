internal import Timeline

/// A one-line title for a post, for readers that list titles.
enum PostTitle {
  /// Returns the author or what has happened, and the beginning of the text, as in `Mira: Good morning…`.
  static func of(_ post: Post) -> String {
    let beginning = NoticeSentence(post)?.text(PersonName.short) ?? PersonName.short(of: post.author)
    let excerpt = excerpt(of: post)
    return excerpt.isEmpty ? beginning : "\(beginning): \(excerpt)"
  }

  /// Returns the beginning of the text. If a post has no text, describes its media or names the quoted author. Without a post, this is what
  /// the server says about the event.
  static func excerpt(of post: Post) -> String {
    if post.isEventOnly { return ShortLine.of(post.notice?.text ?? "", characters: 80) }
    let texts = [post.text, post.mediaWarning ?? post.media.first?.alternativeText ?? "", post.quoted?.text ?? ""]
    let excerpt = texts.lazy.map { ShortLine.of($0, characters: 80) }.first { !$0.isEmpty }
    return excerpt ?? post.media.first.map(MediaDescription.of) ?? ""
  }
}
