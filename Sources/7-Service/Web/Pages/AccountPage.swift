internal import Formats
internal import HTTP
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// `/a/NAME` and `/a/NAME/TIMELINE`: a timeline of an account, to the end of its archive.
struct AccountPage: Sendable {
  let data: WebData
  let own: OwnActs

  var routes: [Route] {
    [
      .get("/a/{account}") { [self] (request) throws(WebError) in
        let account = try archives.account(named: request[parameter: "account"])
        return try response(to: request, .home(of: account))
      },
      .get("/a/{account}/{timeline}") { [self] (request) throws(WebError) in
        let account = try archives.account(named: request[parameter: "account"])
        return try response(to: request, archives.timeline(named: request[parameter: "timeline"], of: account))
      },
    ]
  }

  private var archives: WebArchives { WebArchives(data: data) }

  /// What a page shows of an account's archive.
  private struct Content {
    var page = PostPage()
    var state = AccountState()
    var unread = 0
  }

  private func response(to request: WebRequest, _ key: TimelineKey) throws(WebError) -> WebResponse {
    try request.query.check(names: PostConditions.names + ["below"], part: PostsPart.name)
    let conditions = try PostConditions(request.query)
    let below = try PostPlace.key(request.query, "below")
    let pages = TimelinePages(
      key: key, conditions: conditions, below: below, address: conditions.added(to: .timeline(key)))
    let settings = data.configuration[key.account]
    let content = try archives.read(key.account) { archive throws(StorageError) in
      let state = try archive.state()
      let mark = state[key.timeline].readUpTo?.key ?? PostKey("")
      let limit = state.publishedPosts(settings?[key.timeline].keepPosts)
      return Content(
        page: try pages.page(of: archive), state: state,
        unread: try archive.countOfPosts(of: key.timeline, above: mark, upTo: limit))
    }
    let shown = content?.page ?? PostPage()
    var posts = PostsPart(
      shown, of: key.account, in: data,
      PostForms(for: shown.posts, in: data, own, back: request.back) { _ in key },
      emptiness: conditions.isEmpty && below == nil ? "There are no posts here yet." : "There are no such posts here.")
    posts.unread = content?.unread
    if request.wants(part: PostsPart.name) { return .part(posts.html) }
    let isBeginning = below == nil
    var markup = TimelineNavigation(of: key, settings).html
    markup += lead(key, content ?? Content())
    markup += isBeginning ? notice(key, content ?? Content(), settings, posts.time) : ""
    markup += PostConditionsForm(conditions, at: .timeline(key)).html
    if !isBeginning { markup += "<p><a href=\"\(conditions.added(to: .timeline(key)).text)\">Newest posts</a></p>\n" }
    markup += PageIcons.html + posts.html
    var page = WebPage(title(key), markup)
    page.unread = content?.unread ?? 0
    if isBeginning { page.live = .timeline(key) }
    return .page(page)
  }

  private func title(_ key: TimelineKey) -> String {
    SafeText.line(of: key.timeline == .home ? key.account.text : "\(key.account): \(TimelineTitle.of(key.timeline))")
  }

  /// The line below the title: the user, the age of the last refresh, and the number of unread posts.
  private func lead(_ key: TimelineKey, _ content: Content) -> Markup {
    let state = content.state[key.timeline]
    var facts: [Markup] = []
    if let user = content.state.identity?.user, !user.isUnknown {
      facts.append("<span>\(PageName.html(of: user))</span>")
    }
    facts.append(
      state.refreshedAt.map { "<span>refreshed \(Age(of: $0, at: data.clock.now).ago)</span>" }
        ?? "<span>never refreshed</span>")
    facts.append(content.unread > 0 ? "<span>\(content.unread) unread</span>" : "<span>nothing unread</span>")
    return "<p class=\"lead\">\(facts.joined(separator: " "))</p>\n"
  }

  /// What is wrong with the timeline, and what to do.
  private func notice(
    _ key: TimelineKey, _ content: Content, _ settings: AccountSettings?, _ time: PageTime
  ) -> Markup {
    let state = content.state[key.timeline]
    let head = TimelineHead(
      account: key.account.text, timeline: key.timeline, provider: settings?.provider ?? "",
      staleSince: state.staleSince,
      problem: state.problem)
    return PageNotice(head: head, time: time, renewal: nil).html
  }
}

/// The links to an account's timelines, if it fetches several.
struct TimelineNavigation {
  let key: TimelineKey
  let timelines: [TimelineName]

  init(of key: TimelineKey, _ settings: AccountSettings?) {
    self.key = key
    let fetched = settings?.timelines ?? [.home]
    timelines = fetched.contains(key.timeline) ? fetched : fetched + [key.timeline]
  }

  var html: Markup {
    if timelines.count < 2 { return "" }
    let entries = timelines.map { name -> Markup in
      let mark: Markup = name == key.timeline ? " aria-current=\"page\"" : ""
      let address = WebAddress.timeline(TimelineKey(account: key.account, timeline: name))
      return "<li><a href=\"\(address.text)\"\(mark)>\(PageText.isolated(TimelineTitle.of(name)))</a></li>\n"
    }
    return
      "<nav class=\"timelines\" aria-label=\"Timelines of \(key.account.text)\"><ul>\n\(entries.joined())</ul></nav>\n"
  }
}
