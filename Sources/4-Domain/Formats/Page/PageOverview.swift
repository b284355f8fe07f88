internal import HTTP
internal import Timeline

/// A timeline's overview: its user, freshness, activity and cost.
enum PageOverview {
  static func html(of publication: Publication) -> Markup {
    let head = publication.head
    let time = PageTime(now: publication.madeAt)
    return """
      <header class="overview">
      \(person(publication))\(PageNotice(head: head, time: time, renewal: publication.renewal).html)\(facts(publication, time))\
      \(HourChart(hours: publication.overview.hours, now: publication.madeAt).html)\
      <p class="fine"><span id="zone">Times and days are in UTC; ages are counted from \(time.clock(publication.madeAt)), \
      when this page was written.</span> <button id="keys" type="button" hidden>Keys <kbd>?</kbd></button></p>
      </header>

      """
  }

  private static func person(_ publication: Publication) -> Markup {
    let head = publication.head
    let user = head.user
    let avatar = user.map { PageAvatar(pictures: PagePictures(paths: publication.pictures)).html(of: $0) } ?? Markup()
    let text = TimelineTitle.of(head.timeline)
    let capitalised = text.prefix(1).uppercased() + text.dropFirst()
    let title = head.timeline.argument == nil ? Markup(escaping: capitalised) : PageText.isolated(capitalised)
    let owner: Markup? = user.map { "<span class=\"name\">\(PageText.isolated(PageName.shown($0)))</span>" }
    let line: Markup =
      switch (head.timeline.kind, owner) {
      case (.home, let owner?): "Home timeline of \(owner)"
      // A hashtag and another user's posts belong to nobody here.
      case (.tag, _), (.user, _), (_, nil): title
      case (_, let owner?): "\(title) of \(owner)"
      }
    let screenName = user?.screenName ?? ""
    let handle: Markup = screenName.isEmpty ? "" : "\n<p>\(PageText.isolated("@" + screenName))</p>"
    let provider: Markup = head.provider.isEmpty ? "" : " <small>\(PageText.isolated(head.provider))</small>"
    return """
      <div class="person">\(avatar)<div><h1>\(PageText.isolated(head.account))\(provider)</h1>
      <p>\(line)</p>\(handle)</div></div>

      """
  }

  private static func facts(_ publication: Publication, _ time: PageTime) -> Markup {
    let head = publication.head
    let shown = publication.posts.count
    let kept = max(publication.overview.kept, shown)
    let spending = publication.overview.spending.map(PageText.isolated).joined(separator: "<br>")
    var rows = Markup()
    // While refreshes succeed, an unchanged page may stay for an hour, so it does not show the time of the last refresh.
    if head.freshUntil == nil, let at = head.refreshedAt {
      rows += row("Last refresh", "\(time.clock(at)) <span class=\"ago\">(\(time.age(of: at)))</span>")
    }
    if let newest = publication.posts.first { rows += row("Newest post", time.age(of: newest.post.createdAt)) }
    if let at = head.freshUntil { rows += row("Fresh until", time.clock(at)) }
    rows += row("Posts", kept > shown ? "\(shown) shown, \(PageCounts.grouped(kept)) stored" : "\(shown)")
    rows += row("Unread", "\(head.unread)")
    if let end = head.loginNeededBy { rows += row("Login expires", time.clock(end)) }
    if !spending.isEmpty { rows += row("Spent", spending, " class=\"wide\"") }
    return "<dl class=\"facts\">\n\(rows)</dl>\n"
  }

  private static func row(_ name: Markup, _ value: Markup, _ attributes: Markup = "") -> Markup {
    "<div\(attributes)><dt>\(name)</dt><dd>\(value)</dd></div>\n"
  }
}
