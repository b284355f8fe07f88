package import HTTP
internal import Time
internal import Timeline

/// A post on the page, with the elements around its text.
package struct PagePost {
  /// The account whose page this is; `nil` for a page of several accounts.
  let account: String?
  let thread: PageThread
  private let options: PagePostOptions
  private let avatar: PageAvatar
  private let media: PageMedia
  private let time: PageTime
  private let body: PageBody

  /// - Parameters:
  ///   - account: the account whose page this is. Posts that another account received name it.
  ///   - time: the time that ages are relative to.
  ///   - thread: the posts on the page.
  package init(account: String?, at time: PageTime, _ thread: PageThread, _ options: PagePostOptions) {
    self.account = account
    self.thread = thread
    self.options = options
    self.time = time
    avatar = PageAvatar(pictures: options.pictures)
    media = PageMedia(pictures: options.pictures, line: options.line)
    body = PageBody(text: options.text)
  }

  /// Returns a post as an HTML element.
  /// - Parameter joins: additional classes that join the post to its neighbours.
  package func html(of item: PublishedPost, joins: Markup = "") -> Markup {
    let post = item.post
    let anchor = Markup(escaping: PageAnchor.name(of: item))
    let unread: Markup = item.isUnread ? " unread" : ""
    let below = mediaHTML(of: post) + (post.quoted.map(quote) ?? "")
    return """
      <article class="post\(unread)\(joins)" id="\(anchor)" tabindex="-1" aria-labelledby="\(anchor)-by">
      \(event(post))\(reposted(post))\(avatar.html(of: post.author))<div class="content">
      <header class="byline" id="\(anchor)-by">\(byline(post))\(unreadMark(item))\(permalink(item))</header>
      \(noticeText(post))\(replyLine(item))\(body.html(of: post.text, language: post.language, below: below))\
      \(footer(of: item, named: "\(anchor)-by"))</div>
      </article>

      """
  }

  /// Returns the author's name; for an event without a post, what has happened.
  private func byline(_ post: Post) -> Markup {
    guard post.isEventOnly, let sentence = NoticeSentence(post) else {
      return PageName.html(of: post.author, options.line)
    }
    return "<span>\(Self.html(of: sentence))</span>"
  }

  /// Returns the post's age, which links to the post's own page or to the original.
  private func permalink(_ item: PublishedPost) -> Markup {
    let age = time.age(of: item.post.createdAt)
    guard let page = options.page(item) else {
      return PageLink.html(age, to: item.post.url, class: "when permalink")
    }
    return "<a class=\"when permalink\" href=\"\(page)\">\(age)</a>"
  }

  /// Returns the line that says what others have done with the post.
  private func event(_ post: Post) -> Markup {
    guard let notice = post.notice, !post.isEventOnly, let sentence = NoticeSentence(post) else { return "" }
    let mark: Markup =
      switch notice.knownKind {
      case .favourite: "♥"
      case .reblog: "↻"
      default: "•"
      }
    return """
      <p class="reposted"><span aria-hidden="true">\(mark)</span> \(Self.html(of: sentence)) · \(time.age(of: notice.at))</p>

      """
  }

  private static func html(of sentence: NoticeSentence) -> Markup {
    sentence.parts.lazy.map { part in
      switch part {
      case .text(let text): Markup(escaping: text)
      case .user(let user): PageText.isolated(PageName.shown(user))
      case .kind(let kind): PageText.isolated(kind)
      }
    }.joined()
  }

  /// Returns what the server says about an event.
  private func noticeText(_ post: Post) -> Markup {
    guard let text = post.notice?.text, NoticeSentence(post) != nil else { return "" }
    return "<p class=\"reply\">\(LinkedText.html(of: text))</p>\n"
  }

  private func mediaHTML(of post: Post) -> Markup {
    let html = media.html(of: post.media)
    guard let warning = post.mediaWarning, !html.isEmpty else { return html }
    return PageBody.covered(html, by: warning, language: post.language)
  }

  private func quote(_ quote: Post.Quote) -> Markup {
    PageQuote(avatar: avatar, media: media, time: time, body: body, line: options.line).html(of: quote)
  }

  private func reposted(_ post: Post) -> Markup {
    guard let user = post.repostedBy else { return "" }
    return """
      <p class="reposted"><span aria-hidden="true">↻</span> <bdi>\(options.line(PageName.chosen(user)))</bdi> reposted</p>

      """
  }

  private func unreadMark(_ item: PublishedPost) -> Markup {
    item.isUnread ? "<span class=\"new\" title=\"unread\"><span class=\"unseen\">unread</span></span>" : ""
  }

  /// Returns the line that names the post that this one replies to, with a link to that post if it is on the page or has a page.
  private func replyLine(_ item: PublishedPost) -> Markup {
    guard let reply = item.post.inReplyTo else { return "" }
    let parent = thread.repliedTo(by: item)
    let isOwn = parent?.post.author.id == item.post.author.id
    let name = (reply.screenName ?? parent?.post.author.screenName).map(SafeText.line) ?? ""
    let target: Markup =
      isOwn ? "the previous post" : name.isEmpty ? "a post" : PageText.isolated("@" + name)
    let verb: Markup = isOwn ? "Continues" : "Replied to"
    guard let address = parent.map({ "#" + PageAnchor.name(of: $0) }) ?? options.repliedTo(item) else {
      return "<p class=\"reply\">\(verb) \(target)</p>\n"
    }
    return "<p class=\"reply\">\(verb) <a href=\"\(address)\">\(target)</a></p>\n"
  }

  /// - Parameter name: the id of the element that names the author, to whose post the buttons belong.
  private func footer(of item: PublishedPost, named name: Markup) -> Markup {
    var notes: [Markup] = []
    if let editedAt = item.post.editedAt {
      notes.append("<span class=\"edited\">edited \(time.age(of: editedAt))</span>")
    }
    notes += item.alsoAt.compactMap { address in
      PageLink.host(of: address).map { host in
        PageLink.html(
          "\(PageIcons.use("also"))<span>also at \(PageText.isolated(host))</span>", to: address, class: "also")
      }
    }
    if item.account != account { notes.append("<span>via \(PageText.isolated(item.account))</span>") }
    let counts = PageCounts.html(of: item.post.counts)
    let actions = options.actions(item)
    if counts.isEmpty && notes.isEmpty && actions.isEmpty { return "" }
    let list: Markup = notes.isEmpty ? "" : "<p class=\"notes\">\(notes.joined(separator: "\n"))</p>\n"
    let group: Markup = actions.isEmpty ? "" : " role=\"group\" aria-labelledby=\"\(name)\""
    return "<footer\(group)>\n\(counts)\(list)\(actions)</footer>\n"
  }
}
