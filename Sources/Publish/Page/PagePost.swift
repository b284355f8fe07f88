internal import CivilTime
internal import Timeline

/// A post of the page, with what is said around its text.
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

  /// - Parameter joins: further classes, by which the post is joined to its neighbours.
  func html(of item: PublishedPost, joins: String) -> String {
    let post = item.post
    let anchor = PageAnchor.name(account: item.account, post: post.id)
    let unread = item.isUnread ? " unread" : ""
    return """
      <article class="post\(unread)\(joins)" id="\(anchor)" tabindex="-1" aria-labelledby="\(anchor)-by">
      \(reposted(post))\(avatar.html(of: post.author))<div class="content">
      <header class="byline" id="\(anchor)-by">\(PageName.html(of: post.author))\(unreadMark(item))\
      \(PageLink.html(time.age(of: post.createdAt), to: post.url, class: "when permalink"))</header>
      \(answering(item))\(PageBody.html(of: post.text, language: post.language))\(media.html(of: post.media))\
      \(post.quoted.map(quote) ?? "")\(footer(of: item))</div>
      </article>

      """
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
    item.isUnread ? "<span class=\"new\" title=\"not read yet\"><span class=\"unseen\">not read yet</span></span>" : ""
  }

  /// Whom the post answers; a link where the page has what it answers.
  private func answering(_ item: PublishedPost) -> String {
    guard let reply = item.post.inReplyTo else { return "" }
    let below = thread.answered(by: item)
    let isOwn = below?.post.author.id == item.post.author.id
    let name = (reply.screenName ?? below?.post.author.screenName).map(SafeText.line) ?? ""
    let whom = isOwn ? "the post before" : name.isEmpty ? "a post" : PageText.isolated("@" + name)
    let verb = isOwn ? "Continues" : "Answers"
    guard let below else { return "<p class=\"answers\">\(verb) \(whom)</p>\n" }
    let anchor = PageAnchor.name(account: below.account, post: below.post.id)
    return "<p class=\"answers\">\(verb) <a href=\"#\(anchor)\">\(whom)</a></p>\n"
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
      notes.append("<span>by way of \(PageText.isolated(item.account))</span>")
    }
    let counts = PageCounts.html(of: item.post.counts)
    if counts.isEmpty && notes.isEmpty { return "" }
    return
      "<footer>\n\(counts)\(notes.isEmpty ? "" : "<p class=\"notes\">\(notes.joined(separator: "\n"))</p>\n")</footer>\n"
  }
}

/// A quoted post as a card within the one that quotes it.
struct PageQuote {
  let avatar: PageAvatar
  let media: PageMedia
  let time: PageTime

  func html(of quote: Post.Quote) -> String {
    """
    <blockquote class="quote">
    <header class="byline">\(avatar.html(of: quote.author, isSmall: true))\(PageName.html(of: quote.author))\
    \(PageLink.html(time.age(of: quote.createdAt), to: quote.url, class: "when"))</header>
    \(PageBody.html(of: quote.text, language: nil))\(media.html(of: quote.media))</blockquote>

    """
  }
}

/// The text of a post, which stays within its box whatever it is made of.
enum PageBody {
  /// - Parameter language: a BCP 47 tag; one that is not, or `nil`, is said to be unknown (HTML Standard §3.2.6.2), since the page
  ///   itself is in English.
  static func html(of text: String, language: String?) -> String {
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

/// How often a post was answered, passed on and liked: short for the eye, in full for those who listen.
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
    let words = "\(count) \(count == 1 ? one : many)"
    return "<li title=\"\(words)\">\(PageIcons.use(icon))<span aria-hidden=\"true\">\(short(count))</span>"
      + "<span class=\"unseen\">\(words)</span></li>"
  }

  /// As in `12,408`.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    let groups = digits.indices.map { (digits.count - $0) % 3 == 0 && $0 > 0 ? ",\(digits[$0])" : "\(digits[$0])" }
    return (count < 0 ? "-" : "") + groups.joined()
  }

  /// As in `999`, `1.2k`, `34k`, `5.6M`; rounded down.
  static func short(_ count: Int) -> String {
    for (unit, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")] where count >= unit {
      let tenths = count / (unit / 10)
      return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)\(letter)" : "\(tenths / 10)\(letter)"
    }
    return "\(count)"
  }
}

/// Which posts of the page answer each other.
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

  /// The post of the page that this one answers.
  func answered(by post: PublishedPost) -> PublishedPost? {
    guard let reply = post.post.inReplyTo else { return nil }
    return places[Key(account: post.account, id: reply.id)].map { posts[$0] }
  }

  /// Whether a person goes on, in the post at this place, with what stands right below it.
  func continuesBelow(_ place: Int) -> Bool {
    guard posts.indices.contains(place + 1) else { return false }
    let (above, below) = (posts[place], posts[place + 1])
    return above.post.inReplyTo?.id == below.post.id && above.account == below.account
      && above.post.author.id == below.post.author.id && above.post.repostedBy == nil && below.post.repostedBy == nil
  }
}

/// Where in the page a post stands: the same in every page that has it, so that a link into the page stays good.
enum PageAnchor {
  /// An `id` of the HTML Standard: letters, digits, `-`, and `_` with two hexadecimal digits for any other byte.
  static func name(account: String, post: PostID) -> String { "post-\(encoded(account))-\(encoded(post.text))" }

  private static func encoded(_ text: String) -> String {
    var name = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "_" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
    }
    return name
  }
}
