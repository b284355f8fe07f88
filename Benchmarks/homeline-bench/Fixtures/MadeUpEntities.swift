/// The entities in the text of a generated post, and the post's pictures.
struct MadeUpEntities {
  let raw: RawValue
  /// The pictures of the post; nil for a post without pictures.
  let extended: RawValue?

  init(_ post: MadeUpPost, id: Int, _ words: SyntheticWords) {
    let text = post.text
    let pictures = post.pictures.enumerated().map { Self.picture($1, number: $0, of: post, id: id) }
    var members: [(name: String, value: RawValue)] = [
      (
        "hashtags",
        .array(text.hashtags.map { .object([("text", .text($0.text)), ("indices", Self.indices($0.range))]) })
      ),
      ("symbols", []),
      (
        "user_mentions",
        .array(
          text.mentions.map { mention in
            let user = MadeUpUser(mention.user)
            return .object([
              ("screen_name", .text(user.screenName)), ("name", .text(user.name(words))), ("id", .number(user.id)),
              ("id_str", .text(String(user.id))), ("indices", Self.indices(mention.range)),
            ])
          })
      ),
      (
        "urls",
        .array(
          text.links.map { link in
            .object([
              ("url", .text(link.short)), ("expanded_url", .text(link.whole)),
              ("display_url", .text(link.whole.dropFirst(8).prefix(26) + "…")),
              ("indices", Self.indices(link.range)),
            ])
          })
      ),
    ]
    if let first = pictures.first { members.append(("media", .array([first]))) }
    raw = .object(members)
    extended = pictures.isEmpty ? nil : .object([("media", .array(pictures))])
  }

  private static func picture(_ url: String, number: Int, of post: MadeUpPost, id: Int) -> RawValue {
    let link = post.text.pictures!
    let name = MadeUpUser(post.author).screenName
    let sizes = [("thumb", 150, 150, "crop"), ("medium", 1200, 900, "fit"), ("small", 680, 510, "fit")]
    return .object([
      ("id", .number(id + 1 + number)), ("id_str", .text(String(id + 1 + number))), ("indices", indices(link.range)),
      ("media_url", .text("http" + url.dropFirst(5))), ("media_url_https", .text(url)), ("url", .text(link.short)),
      ("display_url", .text("pic.twitter.com/" + link.short.suffix(10))),
      ("expanded_url", .text("https://twitter.com/\(name)/status/\(id)/photo/\(number + 1)")), ("type", "photo"),
      (
        "sizes",
        .object(
          (sizes + [("large", 2048, 1536, "fit")]).map { size in
            let members: [(name: String, value: RawValue)] = [
              ("w", .number(size.1)), ("h", .number(size.2)), ("resize", .text(size.3)),
            ]
            return (size.0, .object(members))
          })
      ),
    ])
  }

  private static func indices(_ range: Range<Int>) -> RawValue {
    .array([.number(range.lowerBound), .number(range.upperBound)])
  }
}
