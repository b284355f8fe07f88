internal import Time
internal import Timeline

extension TwitterStatus {
  /// Creates a post's address from a screen name and an id, which consist of letters, digits and `_`.
  typealias Permalink = (_ screenName: String, _ id: String, _ isGNUSocial: Bool) -> String?

  /// Returns the post and its position; `nil` without an id or a time.
  func entry(permalink: Permalink) -> Page.Entry? {
    guard let id, let createdAt else { return nil }
    return Page.Entry(
      post: shownPost(PostID(id), at: createdAt, permalink), key: Self.key(id: id, time: createdAt), source: source)
  }

  /// Returns the post. A repost keeps its own id and time. All other members come from the reposted post, because the repost's own text is
  /// truncated and begins with 'RT @'.
  private func shownPost(_ id: PostID, at time: Timestamp, _ permalink: Permalink) -> Post {
    guard let reposted, reposted.status.hasText else { return post(id, at: time, permalink) }
    var post = reposted.status.post(id, at: time, permalink)
    post.repostedBy = author
    return post
  }

  /// Returns the post's content, with this id and time.
  private func post(_ id: PostID, at time: Timestamp, _ permalink: Permalink) -> Post {
    let quoted = quote(permalink)
    return Post(
      id: id, createdAt: Timestamp(seconds: time.seconds), author: author,
      text: plainText(quoting: quoted?.id, permalink), url: url(permalink), language: language,
      inReplyTo: reply, quoted: quoted, media: media, counts: counts)
  }

  /// Returns the key of a post. Decimal ids grow with time. Posts with other ids are ordered by time, and by id within one millisecond.
  private static func key(id: String, time: Timestamp) -> PostKey {
    if let key = PostKey(decimal: PostID(id)) { return key }
    let digits = String(time.milliseconds)
    let ascii = id.unicodeScalars.map { $0.isASCII ? String($0) : "%" + String($0.value, radix: 16) }.joined()
    return PostKey("t" + String(repeating: "0", count: max(0, 15 - digits.utf8.count)) + digits + "." + ascii)
  }

  /// Whether the object contains text, as every post does.
  var hasText: Bool { text.full != nil || text.compatible != nil || extended?.full != nil }

  private var author: User { user ?? TwitterUser.unknown }

  private var media: [Media] {
    let own = shownText.shownMedia
    return own.isEmpty ? attachments : own
  }

  /// The text with its links and media: the longer text if there is one.
  private var shownText: TwitterText { extended?.full == nil ? text : extended! }

  private func url(_ permalink: Permalink) -> String? {
    if let address { return address }
    guard let id, let screenName = user?.screenName, !screenName.isEmpty, Self.isWord(id), Self.isWord(screenName)
    else { return nil }
    return permalink(screenName, id, isGNUSocial)
  }

  private static func isWord(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
        continue
      default: return false
      }
    }
    return true
  }

  private func quote(_ permalink: Permalink) -> Post.Quote? {
    guard let quoted, let id = quoted.status.id, let createdAt = quoted.status.createdAt else { return nil }
    return Post.Quote(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: quoted.status.author,
      text: quoted.status.plainText(quoting: nil, permalink),
      url: quoted.status.url(permalink), media: quoted.status.media)
  }

  /// Returns the whole text. If the server has truncated it, the end is replaced with `…` and the post's address.
  /// - Parameter quotedID: the quoted post. It is shown next to the text, so its link is not needed in the text.
  private func plainText(quoting quotedID: PostID?, _ permalink: Permalink) -> String {
    let source = shownText
    // GNU social sends the text as its author typed it; `&amp;` in it is not a reference.
    if isGNUSocial { return source.full ?? source.compatible ?? "" }
    let plain = source.plain(source.full ?? source.compatible ?? "", quoting: quotedID?.text, quoteLink: quoteLink)
    guard isTruncated, extended?.full == nil else { return plain }
    return cut(plain, url: url(permalink))
  }

  private func cut(_ plain: String, url: String?) -> String {
    var parts = plain.split(separator: " ", omittingEmptySubsequences: false)
    // The server ends truncated text with a link to the post.
    if let last = parts.last, let id, last.hasPrefix("https://") || last.hasPrefix("http://"),
      last.hasSuffix("/status/" + id) || last == url ?? ""
    {
      parts.removeLast()
    }
    var beginning = parts.joined(separator: " ")[...]
    while beginning.last == "…" || beginning.last == " " { beginning.removeLast() }
    return beginning + "…" + (url.map { " " + $0 } ?? "")
  }
}
