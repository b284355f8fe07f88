internal import Timeline

/// A post in one short line, for readers that list titles.
enum PostTitle {
  /// `Mira: the first words of the text…`.
  static func of(_ post: Post) -> String {
    let name = PersonName.short(of: post.author)
    let words = words(of: post)
    return words.isEmpty ? name : "\(name): \(words)"
  }

  /// The first words of the text; of a post without text what it shows or quotes instead.
  static func words(of post: Post) -> String {
    let texts = [post.text, post.media.first?.alternativeText ?? "", post.quoted?.text ?? ""]
    let words = texts.lazy.map { ShortLine.of($0, characters: 80) }.first { !$0.isEmpty }
    return words ?? post.media.first.map(MediaWord.of) ?? ""
  }
}
