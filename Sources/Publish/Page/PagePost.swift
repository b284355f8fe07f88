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
