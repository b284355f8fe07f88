internal import Time
internal import Timeline

/// A post on the page, with the elements around its text.
struct PagePost {
  let publication: Publication
  let thread: PageThread
  private let avatar: PageAvatar
  private let media: PageMedia
  private let time: PageTime

  init(_ publication: Publication, _ thread: PageThread) {
    let pictures = PagePictures(paths: publication.pictures)
    self.publication = publication
    self.thread = thread
    avatar = PageAvatar(pictures: pictures)
    media = PageMedia(pictures: pictures)
    time = PageTime(now: publication.madeAt)
  }

  /// Returns a post as an HTML element.
  /// - Parameter joins: additional classes that join the post to its neighbours.
  func html(of item: PublishedPost, joins: String) -> String {
    let post = item.post
    let anchor = PageAnchor.name(of: item)
    let unread = item.isUnread ? " unread" : ""
    return """
      <article class="post\(unread)\(joins)" id="\(anchor)" tabindex="-1" aria-labelledby="\(anchor)-by">
      \(event(post))\(reposted(post))\(avatar.html(of: post.author))<div class="content">
      <header class="byline" id="\(anchor)-by">\(byline(post))\(unreadMark(item))\
      \(PageLink.html(time.age(of: post.createdAt), to: post.url, class: "when permalink"))</header>
      \(noticeText(post))\(replyLine(item))\(PageBody.html(of: post.text, language: post.language) {
        mediaHTML(of: post) + (post.quoted.map(quote) ?? "")
      })\(footer(of: item))</div>
      </article>

      """
  }

  /// Returns the author's name; for an event without a post, what has happened.
  private func byline(_ post: Post) -> String {
    guard post.isEventOnly, let sentence = NoticeSentence(post) else { return PageName.html(of: post.author) }
    return "<span>\(Self.html(of: sentence))</span>"
  }

  /// Returns the line that says what others have done with the post.
  private func event(_ post: Post) -> String {
    guard let notice = post.notice, !post.isEventOnly, let sentence = NoticeSentence(post) else { return "" }
    let mark =
      switch notice.knownKind {
      case .favourite: "♥"
      case .reblog: "↻"
      default: "•"
      }
    return
      "<p class=\"reposted\"><span aria-hidden=\"true\">\(mark)</span> \(Self.html(of: sentence)) · \(time.age(of: notice.at))</p>\n"
  }

  private static func html(of sentence: NoticeSentence) -> String {
    sentence.parts.map { part in
      switch part {
      case .text(let text): MarkupEscape.text(text)
      case .user(let user): PageText.isolated(PageName.shown(user))
      case .kind(let kind): PageText.isolated(kind)
      }
    }.joined()
  }

  /// Returns what the server says about an event.
  private func noticeText(_ post: Post) -> String {
    guard let text = post.notice?.text, NoticeSentence(post) != nil else { return "" }
    return "<p class=\"reply\">\(LinkedText.html(of: text))</p>\n"
  }

  private func mediaHTML(of post: Post) -> String {
    let html = media.html(of: post.media)
    guard let warning = post.mediaWarning, !html.isEmpty else { return html }
    return PageBody.covered(html, by: warning, language: post.language)
  }

  private func quote(_ quote: Post.Quote) -> String {
    PageQuote(avatar: avatar, media: media, time: time).html(of: quote)
  }

  private func reposted(_ post: Post) -> String {
    guard let user = post.repostedBy else { return "" }
    return
      "<p class=\"reposted\"><span aria-hidden=\"true\">↻</span> \(PageText.isolated(PageName.shown(user))) reposted</p>\n"
  }

  private func unreadMark(_ item: PublishedPost) -> String {
    item.isUnread ? "<span class=\"new\" title=\"unread\"><span class=\"unseen\">unread</span></span>" : ""
  }

  /// Returns the line that names the post that this one replies to, with a link if that post is on the page.
  private func replyLine(_ item: PublishedPost) -> String {
    guard let reply = item.post.inReplyTo else { return "" }
    let parent = thread.repliedTo(by: item)
    let isOwn = parent?.post.author.id == item.post.author.id
    let name = (reply.screenName ?? parent?.post.author.screenName).map(SafeText.line) ?? ""
    let target = isOwn ? "the previous post" : name.isEmpty ? "a post" : PageText.isolated("@" + name)
    let verb = isOwn ? "Continues" : "Replied to"
    guard let parent else { return "<p class=\"reply\">\(verb) \(target)</p>\n" }
    let anchor = PageAnchor.name(of: parent)
    return "<p class=\"reply\">\(verb) <a href=\"#\(anchor)\">\(target)</a></p>\n"
  }

  private func footer(of item: PublishedPost) -> String {
    var notes: [String] = []
    if let editedAt = item.post.editedAt {
      notes.append("<span class=\"edited\">edited \(time.age(of: editedAt))</span>")
    }
    notes += item.alsoAt.compactMap { address in
      PageLink.host(of: address).map { host in
        PageLink.html(
          "\(PageIcons.use("also"))<span>also at \(PageText.isolated(host))</span>", to: address, class: "also")
      }
    }
    if item.account != publication.head.account {
      notes.append("<span>via \(PageText.isolated(item.account))</span>")
    }
    let counts = PageCounts.html(of: item.post.counts)
    if counts.isEmpty && notes.isEmpty { return "" }
    return
      "<footer>\n\(counts)\(notes.isEmpty ? "" : "<p class=\"notes\">\(notes.joined(separator: "\n"))</p>\n")</footer>\n"
  }
}

/// A quoted post, shown as a card within the quoting post.
struct PageQuote {
  let avatar: PageAvatar
  let media: PageMedia
  let time: PageTime

  func html(of quote: Post.Quote) -> String {
    """
    <blockquote class="quote">
    <header class="byline">\(avatar.html(of: quote.author, isSmall: true))\(PageName.html(of: quote.author))\
    \(PageLink.html(time.age(of: quote.createdAt), to: quote.url, class: "when"))</header>
    \(PageBody.html(of: quote.text, language: nil) { media.html(of: quote.media) })</blockquote>

    """
  }
}

/// A post's text and the elements that belong to it. They cannot overflow their box.
enum PageBody {
  /// Returns a post's text and the elements below it as HTML. Below a content warning, the rest stays hidden until the reader opens it.
  /// - Parameters:
  ///   - language: a BCP 47 tag. An invalid tag or `nil` marks the language as unknown (HTML Standard §3.2.6.2), because the page itself is
  ///     in English.
  ///   - below: the media and the quoted post, as HTML.
  static func html(of text: String, language: String?, below: () -> String) -> String {
    let below = below()
    guard let warned = WarnedText(text), !warned.rest.isEmpty || !below.isEmpty else {
      return html(of: text, language: language) + below
    }
    return covered(html(of: warned.rest, language: language) + below, by: warned.warning, language: language)
  }

  /// Returns elements that show only a content warning until the reader opens them.
  static func covered(_ html: String, by warning: String, language: String?) -> String {
    """
    <details class="warned">
    <summary>Content warning: <bdi lang="\(tag(language))">\(PageText.line(warning))</bdi></summary>
    <div class="covered">
    \(html)</div>
    </details>

    """
  }

  private static func html(of text: String, language: String?) -> String {
    guard text.contains(where: { !$0.isWhitespace }) else { return "" }
    return "<div class=\"text\" dir=\"auto\" lang=\"\(tag(language))\">\(LinkedText.html(of: text))</div>\n"
  }

  private static func tag(_ language: String?) -> String {
    guard let language, language.utf8.count <= 35 else { return "" }
    let isTag = language.utf8.allSatisfy { byte in
      switch byte {
      case 0x2d, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: false
      }
    }
    return isTag ? language : ""
  }
}

/// The numbers of replies, reposts and likes: abbreviated on screen, and in full for screen readers.
enum PageCounts {
  static func html(of counts: Post.Counts) -> String {
    let items = [
      item(counts.replies, "reply", one: "reply", many: "replies"),
      item(counts.reposts, "repost", one: "repost", many: "reposts"),
      item(counts.likes, "like", one: "like", many: "likes"),
    ].compactMap { $0 }
    return items.isEmpty ? "" : "<ul class=\"counts\">\(items.joined())</ul>\n"
  }

  private static func item(_ count: Int?, _ icon: String, one: String, many: String) -> String? {
    guard let count, count >= 0 else { return nil }
    let label = "\(count) \(count == 1 ? one : many)"
    return "<li title=\"\(label)\">\(PageIcons.use(icon))<span aria-hidden=\"true\">\(short(count))</span>"
      + "<span class=\"unseen\">\(label)</span></li>"
  }

  /// Returns a number formatted like `12,408`.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    let groups = digits.indices.map { (digits.count - $0) % 3 == 0 && $0 > 0 ? ",\(digits[$0])" : "\(digits[$0])" }
    return (count < 0 ? "-" : "") + groups.joined()
  }

  /// Returns a number formatted like `999`, `1.2k`, `34k` or `5.6M`, rounded down.
  static func short(_ count: Int) -> String {
    for (unit, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")] where count >= unit {
      let tenths = count / (unit / 10)
      return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)\(letter)" : "\(tenths / 10)\(letter)"
    }
    return "\(count)"
  }
}

/// The replies among the posts on the page.
struct PageThread {
  private let places: [Key: Int]
  private let posts: [PublishedPost]

  private struct Key: Hashable {
    let account: String
    let id: PostID
  }

  init(_ posts: [PublishedPost]) {
    self.posts = posts
    places = Dictionary(
      posts.enumerated().map { (Key(account: $1.account, id: $1.post.id), $0) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the post on the page that this one replies to.
  func repliedTo(by post: PublishedPost) -> PublishedPost? {
    guard let reply = post.post.inReplyTo else { return nil }
    return places[Key(account: post.account, id: reply.id)].map { posts[$0] }
  }

  /// Returns whether the post at this index replies to the one below it and is by the same author.
  func continuesBelow(_ place: Int) -> Bool {
    guard posts.indices.contains(place + 1) else { return false }
    let (above, parent) = (posts[place], posts[place + 1])
    return above.post.inReplyTo?.id == parent.post.id && above.account == parent.account
      && above.post.author.id == parent.post.author.id && isPlain(above.post) && isPlain(parent.post)
  }

  /// Returns whether a post is in the timeline because of its author alone.
  private func isPlain(_ post: Post) -> Bool { post.repostedBy == nil && post.notice == nil }
}

/// A post's id within the page. It is the same on every page, so that links to it remain valid.
enum PageAnchor {
  /// Returns an `id` that conforms to the HTML Standard: letters, digits, `-`, and `_` with two hexadecimal digits for any other byte.
  static func name(of item: PublishedPost) -> String {
    name(account: item.account, post: item.post.entryID, isNotice: item.post.notice != nil)
  }

  /// - Parameter isNotice: whether the id is a notification's, which may be the same as a post's.
  static func name(account: String, post: PostID, isNotice: Bool = false) -> String {
    "\(isNotice ? "notification" : "post")-\(encoded(account))-\(encoded(post.text))"
  }

  private static func encoded(_ text: String) -> String {
    ByteReplacement.encoded(
      text, prefix: UInt8(ascii: "_"), uppercase: false, plain: UTF8Text.isLetterOrDigit)
  }
}
