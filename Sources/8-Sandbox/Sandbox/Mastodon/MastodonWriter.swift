internal import HTTP
internal import JSON
internal import Time

/// Writes accounts and statuses the way servers that implement Mastodon's API do.
struct MastodonWriter {
  let flavour: MastodonFlavour
  /// Scheme and host, without a trailing slash.
  let base: String
  let quirks: MastodonQuirks
  /// The actual time.
  let time: Timestamp
  /// Returns whether an action of the user, such as `favourite`, is in effect for a post.
  var isInEffect: (_ action: String, _ post: UInt64) -> Bool = { _, _ in false }

  /// The host, with the port if there is one.
  var host: String { String(base.dropFirst("http://".count)) }
  /// The ids of posts.
  var ids: MastodonIDWriter { MastodonIDWriter(form: quirks.hasUnorderedIDs ? .hexadecimal : flavour.postIDs) }
  /// The ids of notifications, lists and marks.
  var smallIDs: MastodonIDWriter { MastodonIDWriter(form: quirks.hasUnorderedIDs ? .hexadecimal : flavour.smallIDs) }
  private var markup: MastodonHTMLWriter { MastodonHTMLWriter(base: base) }

  func json(_ posts: [SandboxPost]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in for post in posts { write(post, to: &writer) } }
    return quirks.hostile ? HostileText.spoiled(writer.bytes) : writer.bytes
  }

  func json(_ post: SandboxPost) -> [UInt8] {
    var writer = JSONWriter()
    write(post, to: &writer)
    return quirks.hostile ? HostileText.spoiled(writer.bytes) : writer.bytes
  }

  func write(_ author: Author, isSelf: Bool = false, to writer: inout JSONWriter) {
    let face = "https://img.example/avatars/\(author.screenName).png"
    writer.object { writer in
      writer.member("id", String(author.id))
      writer.member("username", author.screenName)
      writer.member("acct", MastodonPeople.address(author))
      writer.member("display_name", quirks.hostile ? HostileText.name(author.name) : author.name)
      for name in ["locked", "bot"] { writer.member(name, false) }
      writer.member("created_at", "2022-11-06T00:00:00.000Z")
      writer.member("note", "<p>\(author.description)</p>")
      writer.member("url", MastodonPeople.page(author, base: base))
      for name in ["avatar", "avatar_static"] { writer.member(name, face) }
      for name in ["header", "header_static"] { writer.member(name, "") }
      for name in ["followers_count", "following_count", "statuses_count"] { writer.member(name, 1) }
      for name in ["emojis", "fields"] { writer.member(name, list: [Int]()) { $0.integer($1) } }
      guard isSelf else { return }
      writer.name("source")
      writer.object { writer in
        writer.member("privacy", "public")
        writer.member("sensitive", false)
        writer.member("language", author.language)
        writer.member("note", author.description)
        writer.member("fields", list: [Int]()) { $0.integer($1) }
      }
    }
  }

  func write(_ post: SandboxPost, to writer: inout JSONWriter, isInner: Bool = false) {
    let id = ids.text(post.id)
    var original: SandboxPost?
    if case .reposted(let reposted) = post.companion { original = reposted }
    let isHollow = original != nil && quirks.hollowBoosts
    let edit = isInner ? nil : edit(of: post)
    writer.object { writer in
      writer.member("id", id)
      writer.member("created_at", MastodonTime.text(post.createdAt, decimals: 3))
      writer.member("in_reply_to_id", post.reply.map { ids.text($0.id) })
      writer.member("in_reply_to_account_id", post.reply.map { String($0.to.id) })
      writer.member("sensitive", false)
      writer.member("spoiler_text", post.warning)
      writer.member("visibility", post.visibility)
      writer.member("language", original?.author.language ?? post.statedLanguage ?? post.author.language)
      writer.member("uri", "\(MastodonPeople.page(post.author, base: base))/statuses/\(id)")
      writer.member("url", "\(MastodonPeople.page(post.author, base: base))/\(id)")
      writer.member("replies_count", 0)
      writer.member("reblogs_count", post.reposts)
      writer.member("favourites_count", post.likes)
      writer.member("edited_at", edit.map { MastodonTime.text($0, decimals: 3) })
      for action in ["favourite", "reblog", "bookmark"] {
        writer.member(MastodonActions.participle(action), isInEffect(action, post.id))
      }
      writer.member("muted", false)
      writer.member("content", isHollow ? "" : content(of: original ?? post, isEdited: edit != nil))
      writer.member("reblog", isHollow ? nil : original) { write($1, to: &$0, isInner: true) }
      writer.name("account")
      write(post.author, to: &writer)
      writer.member("media_attachments", list: original == nil ? post.attachments : []) { writeMedia($1, to: &$0) }
      writer.member("mentions", list: mentions(in: original ?? post)) { writeMention($1, to: &$0) }
      for name in ["tags", "emojis"] { writer.member(name, list: [Int]()) { $0.integer($1) } }
      let filters = [post, original].compactMap { $0 }.flatMap { quirks.filters[ids.text($0.id)] ?? [] }
      writer.member("filtered", list: filters) {
        writeFilterResult($1, to: &$0)
      }
      writer.member("card", String?.none)
      writer.member("poll", post.poll) { writePoll($1, of: post, to: &$0) }
      writeQuote(of: post, to: &writer)
    }
  }

  private func edit(of post: SandboxPost) -> Timestamp? {
    if let edit = post.editedAt { return edit }
    guard let edited = quirks.edited, time >= edited.since, post.id % UInt64(edited.every) == 0 else { return nil }
    return edited.since
  }

  private func content(of post: SandboxPost, isEdited: Bool) -> String {
    var pieces = post.pieces
    var line = Markup()
    if case .quoted(let quoted, let short) = post.companion {
      pieces.removeAll { if case .link(short, _) = $0 { true } else { false } }
      line = markup.quoteLine("\(MastodonPeople.page(quoted.author, base: base))/\(ids.text(quoted.id))")
    }
    if isEdited { pieces.insert(.plain("Edited: "), at: 0) }
    let html = (line + markup.html(pieces)).text
    return quirks.hostile ? HostileText.html(html) : html
  }

  private func mentions(in post: SandboxPost) -> [Author] {
    post.pieces.compactMap { if case .mention(let author) = $0 { author } else { nil } }
  }

  private func writeMention(_ author: Author, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", String(author.id))
      writer.member("username", author.screenName)
      writer.member("url", MastodonPeople.page(author, base: base))
      writer.member("acct", MastodonPeople.address(author))
    }
  }

  private func writeMedia(_ media: SandboxPost.Attachment, to writer: inout JSONWriter) {
    let address = "https://img.example/media/\(media.key)"
    writer.object { writer in
      writer.member("id", media.key)
      writer.member("type", media.isVideo ? "video" : "image")
      writer.member("url", address + (media.isVideo ? ".mp4" : ".png"))
      writer.member("preview_url", address + ".small.png")
      writer.member("remote_url", String?.none)
      writer.member("description", media.alternativeText)
      writer.member("blurhash", String?.none)
    }
  }

  private func writePoll(_ poll: SandboxPost.Poll, of post: SandboxPost, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", ids.text(post.id))
      writer.member("expires_at", MastodonTime.text(poll.end, decimals: 3))
      writer.member("expired", poll.end <= time)
      writer.member("multiple", false)
      for name in ["votes_count", "voters_count"] { writer.member(name, poll.votes.reduce(0, +)) }
      writer.member("options", list: Array(zip(["Yes", "No"], poll.votes))) { writer, option in
        writer.object { writer in
          writer.member("title", option.0)
          writer.member("votes_count", option.1)
        }
      }
      writer.member("emojis", list: [Int]()) { $0.integer($1) }
      writer.member("voted", true)
      writer.member("own_votes", list: [0]) { $0.integer($1) }
    }
  }

  private func writeFilterResult(_ filter: MastodonFilter, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.name("filter")
      writer.object { writer in
        writer.member("id", "1")
        writer.member("title", filter.title)
        writer.member("context", list: filter.contexts) { $0.string($1) }
        writer.member("expires_at", filter.expiresAt.map { MastodonTime.text($0, decimals: 3) })
        writer.member("filter_action", filter.action)
      }
      writer.member("keyword_matches", list: [filter.title]) { $0.string($1) }
      writer.member("status_matches", String?.none)
    }
  }

  /// Mastodon wraps the quoted status in an object with a state, Akkoma includes it directly, and the other servers have no quotes.
  private func writeQuote(of post: SandboxPost, to writer: inout JSONWriter) {
    guard case .quoted(let quoted, _) = post.companion else { return }
    switch flavour {
    case .mastodon:
      writer.name("quote")
      writer.object { writer in
        writer.member("state", "accepted")
        writer.name("quoted_status")
        write(quoted, to: &writer, isInner: true)
      }
    case .akkoma:
      writer.name("quote")
      write(quoted, to: &writer, isInner: true)
    case .oldMastodon, .goToSocial, .snac: break
    }
  }
}

/// Times as Mastodon-compatible servers write them.
enum MastodonTime {
  /// Returns a UTC time in the RFC 3339 format, with fractional seconds.
  static func text(_ time: Timestamp, decimals: Int) -> String {
    let whole = time.rfc3339.dropLast()
    guard decimals > 0 else { return whole + "Z" }
    let digits =
      String(1000 + time.milliseconds % 1000).dropFirst() + String(repeating: "0", count: max(0, decimals - 3))
    return whole + "." + digits.prefix(decimals) + "Z"
  }
}
