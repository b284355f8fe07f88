internal import CivilTime
internal import HTTP
internal import JSON

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
  func json(_ post: SandboxPost) -> [UInt8] {
    var writer = JSONWriter()
    write(post, true, to: &writer)
    return writer.bytes
  }

  private func write(_ post: SandboxPost, _ isExtended: Bool, to writer: inout JSONWriter) {
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
      writer.member("favorited", false)
      writer.member("retweeted", false)
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
  fileprivate var isRepost: Bool { if case .reposted = companion { true } else { false } }

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

/// Writes users as the v1.1 API does.
enum UserWriter {
  /// Returns the JSON of a user.
  /// - Parameter isSelf: whether this is the authenticated user, who also has the member `email`, which is null.
  static func json(_ author: Author, isSelf: Bool = false) -> [UInt8] {
    var dice = SeededRandom(7, UInt64(author.id))
    let picture = "img.example/avatars/\(author.screenName)_normal.png"
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", author.id)
      writer.member("id_str", String(author.id))
      writer.member("name", author.name)
      writer.member("screen_name", author.screenName)
      writer.member("location", author.location)
      writer.member("description", author.description)
      writer.member("url", String?.none)
      writer.name("entities")
      writer.object { writer in
        writer.name("description")
        writer.object { $0.member("urls", list: [Int]()) { $0.integer($1) } }
      }
      writer.member("protected", false)
      writer.member("followers_count", dice.roll(90_000))
      writer.member("friends_count", isSelf ? Author.writers.count : dice.roll(2_000))
      writer.member("listed_count", dice.roll(300))
      writer.member(
        "created_at", Timestamp(seconds: 1_241_891_902 + Int64(dice.roll(300_000_000))).twitterDate)
      writer.member("favourites_count", dice.roll(20_000))
      for name in ["utc_offset", "time_zone"] { writer.member(name, String?.none) }
      writer.member("geo_enabled", false)
      writer.member("verified", dice.roll(9) == 0)
      writer.member("statuses_count", isSelf ? 0 : dice.roll(50_000))
      writer.member("lang", String?.none)
      for name in ["contributors_enabled", "is_translator", "is_translation_enabled"] { writer.member(name, false) }
      writer.member("profile_background_color", "F5F8FA")
      writer.member("profile_background_image_url", String?.none)
      writer.member("profile_background_image_url_https", String?.none)
      writer.member("profile_background_tile", false)
      writer.member("profile_image_url", "http://\(picture)")
      writer.member("profile_image_url_https", "https://\(picture)")
      writer.member("profile_link_color", "1F6F5C")
      writer.member("profile_use_background_image", true)
      writer.member("has_extended_profile", false)
      writer.member("default_profile", true)
      writer.member("default_profile_image", false)
      writer.member("following", !isSelf)
      for name in ["follow_request_sent", "notifications"] { writer.member(name, false) }
      writer.member("translator_type", "none")
      if isSelf { writer.member("email", String?.none) }
    }
    return writer.bytes
  }
}

/// Writes posts as GNU social 2.0 does: only numeric ids, text without escapes, and a `tag:` URI as the only address.
enum GNUSocialWriter {
  static func json(_ posts: [SandboxPost]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in for post in posts { write(post, to: &writer) } }
    return writer.bytes
  }

  /// Returns the site configuration. The limit is a string.
  static func configuration() -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("site")
      writer.object { writer in
        writer.member("name", "The sandbox")
        writer.member("textlimit", String(TwitterPublications.longestOfGNUSocial))
      }
    }
    return Response(json: writer.bytes)
  }

  /// Returns a single post.
  static func json(_ post: SandboxPost) -> [UInt8] {
    var writer = JSONWriter()
    write(post, to: &writer)
    return writer.bytes
  }

  private static func write(_ post: SandboxPost, to writer: inout JSONWriter) {
    let text = PostText(post.pieces)
    writer.object { writer in
      writer.member("text", text.unescaped)
      writer.member("truncated", false)
      writer.member("created_at", post.createdAt.twitterDate)
      writer.member("in_reply_to_status_id", post.reply?.id)
      writer.member("uri", "tag:social.example,2026:noticeId=\(post.id):objectType=note")
      writer.member("source", "web")
      writer.member("id", post.id)
      writer.member("in_reply_to_user_id", post.reply?.to.id)
      writer.member("in_reply_to_screen_name", post.reply?.to.screenName)
      writer.member("geo", String?.none)
      writer.name("user")
      writer.raw(UserWriter.json(post.author))
      if case .reposted(let original) = post.companion {
        writer.name("retweeted_status")
        write(original, to: &writer)
      }
      writer.member("statusnet_html", text.text)
      writer.member("statusnet_conversation_id", post.id)
      writer.member("statusnet_in_groups", false)
      writer.member("fave_num", post.likes)
      writer.member("repeat_num", post.reposts)
      writer.member("is_post_verb", true)
      writer.member("is_local", true)
    }
  }
}
