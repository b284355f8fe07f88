internal import CivilTime
internal import Timeline

extension MastodonStatus {
  /// The post and its key; `nil` without an id or a time.
  ///
  /// A boost has its own id and time, and the content of the boosted post. An edited post keeps its id and key.
  var entry: Page.Entry? {
    guard let id, let createdAt else { return nil }
    let original = inner[.boosted]
    let shown = original ?? self
    let post = Post(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: shown.author, text: shown.text,
      url: shown.page, language: shown.language, repostedBy: original == nil ? nil : author, inReplyTo: shown.reply,
      quoted: shown.quote, media: shown.media, counts: shown.counts,
      editedAt: shown.editedAt.map { Timestamp(seconds: $0.seconds) })
    let identity = PostIdentity(uri: identifier, isNamedByURL: MastodonID.isOfSnac(id))
    return Page.Entry(post: post, key: MastodonID.key(of: id, at: createdAt), source: source, identity: identity)
  }

  /// The post's position, if known.
  var mark: PostPosition? {
    guard let id else { return nil }
    let key = MastodonID.key(of: id) ?? createdAt.map { MastodonID.key(of: id, at: $0) }
    return key.map { PostPosition(id: PostID(id), key: $0) }
  }

  /// Whether the post has no content at all, like the boost of a deleted post.
  var isHollow: Bool {
    id != nil && createdAt != nil && account != nil && inner.isEmpty && (content ?? "").isEmpty
      && (warning ?? "").isEmpty && media.isEmpty && poll?.text == nil
  }

  private var author: User { account?.user ?? MastodonAccount.unknown }

  private var reply: Post.Reply? {
    repliedID.map { id in
      let isOwn = repliedAccountID != nil && repliedAccountID == account?.id
      let named = mentions.first { $0.id != nil && $0.id == repliedAccountID && !$0.address.isEmpty }?.address
      return Post.Reply(id: PostID(id), screenName: isOwn ? author.screenName : named)
    }
  }

  private var quote: Post.Quote? {
    guard let quoted = inner[.quoted], let id = quoted.id, let createdAt = quoted.createdAt else { return nil }
    return Post.Quote(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: quoted.author, text: quoted.text,
      url: quoted.page, media: quoted.media)
  }

  /// The content warning, the text and the poll's options, separated by empty lines.
  private var text: String {
    // The link to a quoted post is meant for servers without quotes. The quote is shown separately, so the link is omitted.
    let omitted = quote == nil ? nil : "quote-inline"
    let names = MastodonNames(mentions)
    let plain = PlainHTML.text(content ?? "", omitting: omitted, anchor: names.shown)
    let shown = [plain.isEmpty ? nil : plain, poll?.text].compactMap { $0 }.joined(separator: "\n\n")
    guard let warning, !warning.isEmpty else { return shown }
    return WarnedText(warning: warning, rest: shown).text
  }
}

/// The text shown for links: full names for mentions, unchanged hashtags, and the target for other links.
struct MastodonNames {
  /// The maximum length of an inserted name. Otherwise, many long names would make a text grow without limit.
  private static let longestName = 300

  /// Full names by the user's address; several users may have the same short name.
  private var byAddress: [String: String] = [:]
  private var byUserName: [String: Set<String>] = [:]

  init(_ mentions: [MastodonMention]) {
    for mention in mentions where !mention.address.isEmpty && mention.address.utf8.count <= Self.longestName {
      if let url = mention.url { byAddress[url] = mention.address }
      byUserName[mention.userName, default: []].insert(mention.address)
    }
  }

  func shown(_ tag: HTMLTag, _ inner: String) -> String {
    if inner.hasPrefix("#"), tag.hasClass("hashtag") || tag.attributes["rel"] == "tag" { return inner }
    guard inner.hasPrefix("@") else { return PlainHTML.shown(tag, inner) }
    if let name = name(tag, String(inner.dropFirst())) { return "@" + name }
    return tag.hasClass("mention") ? inner : PlainHTML.shown(tag, inner)
  }

  private func name(_ tag: HTMLTag, _ seen: String) -> String? {
    if let known = tag.attributes["href"].flatMap({ byAddress[$0] }) { return known }
    guard tag.hasClass("mention"), let candidates = byUserName[seen], candidates.count == 1 else { return nil }
    return candidates.first
  }
}
