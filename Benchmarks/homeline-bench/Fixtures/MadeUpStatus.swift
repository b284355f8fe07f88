internal import Time

/// A generated post with the members of a status in a home timeline of Twitter's API v1.1 (`tweet_mode=extended`).
struct MadeUpStatus {
  private let words: SyntheticWords

  init(_ words: SyntheticWords) { self.words = words }

  func raw(_ number: Int) -> RawValue {
    let post = MadeUpPost(number, words)
    guard let reposter = post.repostedBy else { return raw(post, by: post.author, inner: quoted(post)) }
    let original = raw(post, id: post.id - 9_000_000_000, by: post.author, inner: quoted(post))
    return raw(post, by: reposter, text: outerText(post), inner: [("retweeted_status", original)] + quoted(post))
  }

  /// The truncated text that a repost has besides its original post.
  private func outerText(_ post: MadeUpPost) -> String {
    let text = "RT @\(MadeUpUser(post.author).screenName): \(post.text.whole)"
    return text.unicodeScalars.count <= 140
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(139))) + "…"
  }

  private func quoted(_ post: MadeUpPost) -> [(name: String, value: RawValue)] {
    guard let number = post.quotes else { return [] }
    let other = MadeUpPost(number, words)
    let address = "https://twitter.com/\(MadeUpUser(other.author).screenName)/status/\(other.id)"
    return [
      ("quoted_status_id", .number(other.id)), ("quoted_status_id_str", .text(String(other.id))),
      (
        "quoted_status_permalink",
        .object([
          ("url", "https://t.co/quoted0000"), ("expanded", .text(address)),
          ("display", .text(address.dropFirst(8).prefix(28) + "…")),
        ])
      ),
      ("quoted_status", raw(other, by: other.author, inner: [])),
    ]
  }

  private func raw(
    _ post: MadeUpPost, id: Int? = nil, by user: Int, text: String? = nil,
    inner: [(name: String, value: RawValue)]
  ) -> RawValue {
    let id = id ?? post.id
    let entities = MadeUpEntities(post, id: id, words)
    let extended = entities.extended.map { [(name: "extended_entities", value: $0)] } ?? []
    let end = post.text.pictures.map(\.range.lowerBound) ?? post.text.count
    let answered = post.responses.map { (MadeUpPost.id($0), MadeUpUser(0)) }
    return .object(
      [
        ("created_at", .text(post.createdAt.twitterDate)), ("id", .number(id)), ("id_str", .text(String(id))),
        ("full_text", .text(text ?? post.text.whole)), ("truncated", false),
        ("display_text_range", [0, .number(text?.unicodeScalars.count ?? end)]), ("entities", entities.raw),
      ] + extended + [
        ("source", "<a href=\"http://twitter.com/download/iphone\" rel=\"nofollow\">Twitter for iPhone</a>"),
        ("in_reply_to_status_id", answered.map { .number($0.0) } ?? nil),
        ("in_reply_to_status_id_str", answered.map { .text(String($0.0)) } ?? nil),
        ("in_reply_to_user_id", answered.map { .number($0.1.id) } ?? nil),
        ("in_reply_to_user_id_str", answered.map { .text(String($0.1.id)) } ?? nil),
        ("in_reply_to_screen_name", answered.map { .text($0.1.screenName) } ?? nil),
        ("user", MadeUpUser(user).raw(words)), ("geo", nil), ("coordinates", nil), ("place", nil),
        ("contributors", nil),
      ] + inner + [
        ("is_quote_status", .flag(post.quotes != nil)), ("retweet_count", .number(post.reposts)),
        ("favorite_count", .number(post.likes)), ("favorited", false), ("retweeted", false),
        ("possibly_sensitive", false), ("possibly_sensitive_appealable", false),
        ("lang", .text(post.isJapanese ? "ja" : "en")),
      ])
  }
}
