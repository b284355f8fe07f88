internal import Formats
internal import HTTP
internal import Settings
internal import Time
internal import Timeline

/// A list of posts and the link to the next page. It is part of a page, and the script fetches it alone (`part=posts`).
struct PostsPart: Sendable {
  static let name = "posts"

  /// The account whose page this is; `nil` for a page of several accounts, whose posts name theirs.
  let account: AccountName?
  let page: PostPage
  let options: PagePostOptions
  let time: PageTime
  /// What a list without posts says.
  let emptiness: Markup
  /// The number of unread posts of the whole timeline, which the script shows in the window's title; `nil` if it is not known.
  var unread: Int?

  init(_ page: PostPage, of account: AccountName?, in data: WebData, _ forms: PostForms, emptiness: Markup) {
    self.page = page
    self.account = account
    self.emptiness = emptiness
    time = PageTime(now: data.clock.now)
    options = PagePostOptions(for: page.posts, in: data, forms)
  }

  var html: Markup {
    let gaps = Set(page.gaps.map(\.before))
    let entries = PageFeed.entries(of: page.posts) { gaps.contains($0.post.entryID) }
    let posts = PagePost(account: account?.text, at: time, PageThread(entries.map(\.item)), options)
    let mark: Markup = page.beginsAtReadMark ? PageFeed.readMark : ""
    let list: Markup = entries.isEmpty ? "<p class=\"empty\">\(emptiness)</p>\n" : mark + PageFeed.posts(entries, posts)
    let count: Markup = unread.map { " data-unread=\"\($0)\"" } ?? ""
    return "<div class=\"posts\" id=\"posts\"\(count)>\n\(list)\(end)</div>\n"
  }

  /// What follows the posts: the link to older ones, or that there are none.
  private var end: Markup {
    guard let older = page.older else {
      return page.posts.isEmpty ? "" : "<p class=\"end\">These are the oldest posts that are stored.</p>\n"
    }
    guard page.hasEndedEarly, let reached = page.reached else { return Self.link(to: older, "Older posts") }
    return """
      <p class="end">\(PostPage.furthest) posts were looked at, back to \(time.clock(reached)).</p>
      \(Self.link(to: older, "Look further back"))
      """
  }

  static func link(to older: WebAddress, _ text: Markup) -> Markup {
    "<nav class=\"more\" aria-label=\"More posts\"><a rel=\"next\" href=\"\(older.text)\">\(text)</a></nav>\n"
  }
}

extension PagePostOptions {
  /// The pictures, links and buttons of posts on a page of this server.
  /// - Parameter forms: the buttons; nil for posts without them.
  init(for posts: [PublishedPost], in data: WebData, _ forms: PostForms?) {
    self.init(pictures: data.pictures(of: posts))
    page = { item in
      guard !item.post.isEventOnly, let account = AccountName(item.account) else { return nil }
      return WebAddress.post(item.post.id, of: account)?.text
    }
    repliedTo = { item in
      guard let account = AccountName(item.account) else { return nil }
      return item.post.inReplyTo.flatMap { WebAddress.post($0.id, of: account)?.text }
    }
    actions = { item in Self.original(of: item) + (forms?.html(of: item) ?? "") }
  }

  /// The link to the post on its server, because the post's time leads to its page here.
  private static func original(of item: PublishedPost) -> Markup {
    guard let url = item.post.url, let host = PageLink.host(of: url) else { return "" }
    return "<p class=\"original\">\(PageLink.html("on \(PageText.isolated(host))", to: url, class: "permalink"))</p>\n"
  }
}
