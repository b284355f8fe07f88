internal import Timeline

/// A one-line title for a post, for readers that list titles.
enum PostTitle {
  /// Returns the author and the beginning of the text, as in `Mira: Good morning…`.
  static func of(_ post: Post) -> String {
    let name = PersonName.short(of: post.author)
    let excerpt = excerpt(of: post)
    return excerpt.isEmpty ? name : "\(name): \(excerpt)"
  }

  /// Returns the beginning of the text. If a post has no text, describes its media or names the quoted author.
  static func excerpt(of post: Post) -> String {
    let texts = [post.text, post.mediaWarning ?? post.media.first?.alternativeText ?? "", post.quoted?.text ?? ""]
    let excerpt = texts.lazy.map { ShortLine.of($0, characters: 80) }.first { !$0.isEmpty }
    return excerpt ?? post.media.first.map(MediaDescription.of) ?? ""
  }
}
