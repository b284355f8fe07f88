internal import Time
internal import Timeline

extension MastodonStatus: MastodonItem {
  static let plural = "posts"

  /// The post and its key; `nil` without an id or a time.
  ///
  /// A boost has its own id and time, and the content of the boosted post. An edited post keeps its id and key.
  /// - Parameters:
  ///   - scope: the scope of the filters to apply; `nil` to apply none.
  ///   - userID: the timeline's user, whose own posts and boosts are not filtered.
  func entry(filteredIn scope: FilterScope? = nil, for userID: String? = nil) -> Page.Entry? {
    guard let id, let createdAt else { return nil }
    let original = inner[.boosted]
    let shown = original ?? self
    let isOwn = userID != nil && [account?.id, shown.account?.id].contains(userID)
    let scope = isOwn ? nil : scope
    let post = Post(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: shown.author, text: shown.text,
      url: shown.page, language: shown.language, repostedBy: original == nil ? nil : author, inReplyTo: shown.reply,
      quoted: shown.quote(filteredIn: scope), media: shown.media, counts: shown.counts,
      editedAt: shown.editedAt.map { Timestamp(seconds: $0.seconds) })
    let identity = PostIdentity(uri: identifier, isNamedByURL: MastodonID.isOfSnac(id))
    // Servers list the filters of a boosted post with the boost, with the boosted post, or with both.
    let filter = scope.flatMap { scope in
      MastodonFilterResult.effect(of: filters + (original?.filters ?? []), in: scope)
    }
    return Page.Entry(
      post: filter.map { post.filtered(by: $0) } ?? post, key: MastodonID.key(of: id, at: createdAt), source: source,
      identity: identity)
  }

  /// The post's position, if known.
  var mark: PostPosition? { MastodonID.mark(id, at: createdAt) }

  func isShown(in kind: TimelineName.Kind) -> Bool { !isHollow }

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

  private var hasQuote: Bool { inner[.quoted].map { $0.id != nil && $0.createdAt != nil } ?? false }

  /// The quoted post. A filter that hides it leaves the quote out; any other filter covers it with a warning.
  private func quote(filteredIn scope: FilterScope?) -> Post.Quote? {
    guard let quoted = inner[.quoted], let id = quoted.id, let createdAt = quoted.createdAt else { return nil }
    let filter = scope.flatMap { MastodonFilterResult.effect(of: quoted.filters, in: $0) }
    if filter?.action == .hide { return nil }
    return Post.Quote(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: quoted.author,
      text: filter.map { Post.text(quoted.text, warning: $0.warning) } ?? quoted.text, url: quoted.page,
      media: quoted.media)
  }

  /// The content warning, the text and the poll's options, separated by empty lines.
  private var text: String {
    // The link to a quoted post is meant for servers without quotes. The quote is shown separately, so the link is omitted.
    let omitted = hasQuote ? "quote-inline" : nil
    let names = MastodonNames(mentions)
    let plain = PlainHTML.text(content ?? "", omitting: omitted, anchor: names.shown)
    let shown = [plain.isEmpty ? nil : plain, poll?.text].compactMap { $0 }.joined(separator: "\n\n")
    guard let warning, !warning.isEmpty else { return shown }
    return WarnedText(warning: warning, rest: shown).text
  }
}
