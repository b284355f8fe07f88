internal import Time
internal import Timeline

extension WeiboStatus {
  /// Creates a post's address from the author's id and the post's id.
  typealias Permalink = (_ userID: String, _ id: String) -> String?

  /// Returns the post and its key; `nil` without an id, a time or an author.
  ///
  /// A repost has its own text. It is therefore converted to a post that quotes the original.
  func entry(_ permalink: Permalink) -> Page.Entry? {
    guard let id, let key = PostKey(decimal: PostID(id)), let createdAt, let user else { return nil }
    let post = Post(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: user, text: plainText,
      url: permalink(user.id, id), inReplyTo: reply, quoted: original?.quote(permalink), media: pictures.media,
      counts: counts)
    return Page.Entry(post: post, key: key, source: source)
  }

  /// The post's position; `nil` without an id.
  var mark: PostPosition? {
    id.flatMap { id in PostKey(decimal: PostID(id)).map { PostPosition(id: PostID(id), key: $0) } }
  }

  /// Returns the original of a repost; `nil` if it has nothing to show. For a deleted post, Weibo omits the author, and may include a
  /// sentence about the deletion.
  private func quote(_ permalink: Permalink) -> Post.Quote? {
    guard let id, let createdAt, text != nil || user != nil else { return nil }
    return Post.Quote(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds),
      author: user ?? User(id: "", screenName: "", name: ""), text: plainText,
      url: user.flatMap { permalink($0.id, id) }, media: pictures.media)
  }

  /// The text with its references decoded once. Truncated text always ends in `…`, because the rest is available only on the web.
  private var plainText: String {
    let plain = Self.trimmed(HTMLText.decoded(text ?? ""), of: Self.blanks)
    guard isCut else { return plain }
    let beginning = Self.trimmed(plain, of: Self.blanks.union(["…", "."]))
    let lastWord = beginning.split { $0 == " " || $0 == "\n" || $0 == "：" }.last ?? ""
    // Truncated text may end with an address, which must be kept separate from the ellipsis.
    return beginning + (lastWord.hasPrefix("http://") || lastWord.hasPrefix("https://") ? " …" : "…")
  }

  /// Weibo's own applications end texts with a zero width space.
  private static let blanks: Set<Unicode.Scalar> = [" ", "\n", "\u{200b}"]

  private static func trimmed(_ text: String, of scalars: Set<Unicode.Scalar>) -> String {
    var rest = Substring(text).unicodeScalars
    while let last = rest.last, scalars.contains(last) { rest.removeLast() }
    return String(rest)
  }
}
