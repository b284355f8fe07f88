internal import JSON
internal import Time

/// What the user has done with a post.
struct UserState: Sendable {
  var isLiked = false
  /// The id of the user's repost.
  var repost: UInt64?
}

/// Writes posts as the v1.1 API does, in the extended and the compatible form.
struct PostWriter: Sendable {
  private static let source = "<a href=\"https://homeline.example\" rel=\"nofollow\">The sandbox</a>"

  /// The JSON of each user, by id. It is cached because a page repeats it in every post.
  private let users: [Int64: [UInt8]]

  init() {
    users = Dictionary(uniqueKeysWithValues: Author.writers.map { ($0.id, UserWriter.json($0)) })
  }

  /// Returns a page, which is an array.
  func json(_ posts: [SandboxPost], isExtended: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in for post in posts { write(post, isExtended, to: &writer) } }
    return writer.bytes
  }

  /// Returns a single post, in the extended form.
  func json(_ post: SandboxPost, _ state: UserState = UserState()) -> [UInt8] {
    var writer = JSONWriter()
    write(post, true, state, to: &writer)
    return writer.bytes
  }

  private func write(
    _ post: SandboxPost, _ isExtended: Bool, _ state: UserState = UserState(), to writer: inout JSONWriter
  ) {
    let text = Self.text(of: post, isExtended)
    // A repost is truncated without being marked as such, because it includes the whole original.
    let isTruncated = text.isCut && !post.isRepost
    writer.object { writer in
      writer.member("created_at", post.createdAt.twitterDate)
      writer.member("id", post.id)
      writer.member("id_str", String(post.id))
      writer.member(isExtended ? "full_text" : "text", text.text)
      writer.member("truncated", isTruncated)
      if isExtended {
        let range = Self.displayRange(of: text, in: post)
        writer.member("display_text_range", list: [range.lowerBound, range.upperBound]) { $0.integer($1) }
      }
      writer.name("entities")
      writer.object { EntityWriter.write(text, of: post, to: &$0) }
      if !post.attachments.isEmpty, !isTruncated {
        writer.name("extended_entities")
        writer.object { writer in
          writer.member("media", list: Array(post.attachments.indices)) { writer, index in
            EntityWriter.writeMedia(index, text, of: post, isExtended: true, to: &writer)
          }
        }
      }
      writer.member("source", Self.source)
      writeReply(of: post, to: &writer)
      writer.name("user")
      writer.raw(users[post.author.id] ?? UserWriter.json(post.author))
      for name in ["geo", "coordinates", "place", "contributors"] { writer.member(name, String?.none) }
      writeCompanion(of: post, isExtended, to: &writer)
      writer.member("retweet_count", post.reposts)
      writer.member("favorite_count", post.likes)
      writer.member("favorited", state.isLiked)
      writer.member("retweeted", state.repost != nil)
      if text.entities.contains(where: { $0.entity.isAddress }) { writer.member("possibly_sensitive", false) }
      writer.member("lang", post.language)
    }
  }

  private static func text(of post: SandboxPost, _ isExtended: Bool) -> PostText {
    if post.isRepost { return PostText(post.pieces, limit: PostText.compatibleLength) }
    if isExtended { return PostText(post.pieces) }
    var dice = SeededRandom(9, post.id)
    let link = PostPiece.link(
      short: "https://t.co/\(dice.letters(10))", expanded: "https://twitter.com/i/web/status/\(post.id)")
    return PostText(post.pieces, limit: PostText.compatibleLength, tail: link)
  }

  /// Returns the range of the text, excluding the mention that begins a reply and a final link to media or a quoted post.
  private static func displayRange(of text: PostText, in post: SandboxPost) -> Range<Int> {
    var (start, end) = (0, text.length)
    if post.reply != nil, let name = text.entities.first?.range, name.lowerBound == 0 { start = name.upperBound + 1 }
    if let last = text.entities.last, last.range.upperBound == text.length {
      switch (last.entity, post.companion) {
      case (.media, _), (.link, .quoted): end = last.range.lowerBound - 1
      default: break
      }
    }
    return start..<max(start, end)
  }

  private func writeReply(of post: SandboxPost, to writer: inout JSONWriter) {
    writer.member("in_reply_to_status_id", post.reply?.id)
    writer.member("in_reply_to_status_id_str", post.reply.map { String($0.id) })
    writer.member("in_reply_to_user_id", post.reply?.to.id)
    writer.member("in_reply_to_user_id_str", post.reply.map { String($0.to.id) })
    writer.member("in_reply_to_screen_name", post.reply?.to.screenName)
  }

  private func writeCompanion(of post: SandboxPost, _ isExtended: Bool, to writer: inout JSONWriter) {
    switch post.companion {
    case .none: writer.member("is_quote_status", false)
    case .reposted(let original):
      writer.name("retweeted_status")
      write(original, isExtended, to: &writer)
      writer.member("is_quote_status", false)
    case .quoted(let original, let short):
      writer.member("is_quote_status", true)
      writer.member("quoted_status_id", original.id)
      writer.member("quoted_status_id_str", String(original.id))
      writer.name("quoted_status_permalink")
      writer.object { writer in
        writer.member("url", short)
        writer.member("expanded", original.webAddress)
        writer.member("display", String(original.webAddress.dropFirst("https://".count)))
      }
      writer.name("quoted_status")
      write(original, isExtended, to: &writer)
    }
  }
}

extension SandboxPost {
  fileprivate var language: String {
    if case .reposted(let original) = companion { original.author.language } else { author.language }
  }
}

extension PostText.Entity {
  fileprivate var isAddress: Bool {
    switch self {
    case .link, .media: true
    case .hashtag, .mention: false
    }
  }
}
