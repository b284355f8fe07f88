internal import Formats
internal import HTTP
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// `/search`: finds posts in all archives, as `homeline search` does.
struct SearchPage: Sendable {
  let data: WebData
  let own: OwnActs

  var routes: [Route] {
    [
      .get("/search") { [self] (request) throws(WebError) in
        let fields = SearchForm.Field.allCases.map(\.rawValue)
        try request.query.check(names: fields + SharedPlace.names, part: PostsPart.name)
        let archives = WebArchives(data: data)
        let form = try SearchForm(request.query, archives)
        let place = try SharedPlace(request.query)
        var found: Markup = ""
        if let search = form.search {
          found = html(
            of: try SearchPages(search: search, place: place, address: form.address).page(archives), search, place,
            back: request.back)
        }
        if request.wants(part: PostsPart.name) { return .part(found) }
        var page = WebPage(title(form), at: .search, SearchFormMarkup(form, accounts).html + found)
        if !form.errors.isEmpty { page.status = .badRequest }
        return .page(page)
      }
    ]
  }

  private func title(_ form: SearchForm) -> String { form.typed.isEmpty ? "Search" : "Search results" }

  /// The accounts and timelines that can be chosen.
  private var accounts: [String] {
    data.configuration.accounts.filter { $0.hasTimeline() }.flatMap { account in
      [account.name.text] + account.timelines.filter { $0 != .home }.map { "\(account.name)/\($0)" }
    }
  }

  private func html(
    of page: SearchPages.Page, _ search: SearchForm.Search, _ place: SharedPlace?, back: WebAddress
  ) -> Markup {
    let time = PageTime(now: data.clock.now)
    let thread = PageThread(page.posts)
    // A hit is not shown in the order of a timeline, so it offers no read mark.
    let forms = PostForms(for: page.posts, in: data, own, back: back) { _ in nil }
    let options = PagePostOptions(for: page.posts, in: data, forms)
    var html = page.problems.map { "<section class=\"notice\"><p>\($0)</p></section>\n" as Markup }.joined()
    html += "<h2>\(place == nil ? "Posts" : "Older posts" as Markup)</h2>\n" + PageIcons.html
    html += "<div class=\"posts\" id=\"posts\">\n"
    for (item, matches) in zip(page.posts, page.matches) {
      var options = options
      let marks = MatchedText(of: item.post, matches)
      options.text = { marks.html(of: $0) }
      options.line = { marks.html(ofLine: $0) }
      html += PagePost(account: search.account?.text, at: time, thread, options).html(of: item)
    }
    if page.posts.isEmpty { html += "<p class=\"empty\">No posts found.</p>\n" }
    if let older = page.older {
      html += PostsPart.link(to: older, "Older posts")
    } else if !page.posts.isEmpty {
      html += "<p class=\"end\">These are all posts found.</p>\n"
    }
    return html + "</div>\n"
  }
}
