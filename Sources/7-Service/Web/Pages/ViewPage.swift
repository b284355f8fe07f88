internal import Formats
internal import HTTP
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// `/v/NAME`: the posts of a view, to the end of its accounts' archives.
struct ViewPage: Sendable {
  let data: WebData
  let own: OwnActs

  var routes: [Route] {
    [
      .get("/v/{name}") { [self] (request) throws(WebError) in
        let name = request[parameter: "name"]
        guard let view = data.configuration.views.first(where: { $0.name.text == name }) else {
          throw WebError(.notFound, "There is no view with this name", "It may have been renamed or removed.")
        }
        return try response(to: request, view)
      }
    ]
  }

  private func response(to request: WebRequest, _ view: ViewSettings) throws(WebError) -> WebResponse {
    try request.query.check(
      names: PostConditions.names + SharedPlace.names + [FoldedPosts.name], part: PostsPart.name)
    let conditions = try PostConditions(request.query)
    let place = try SharedPlace(request.query)
    let address = conditions.added(to: .view(view.name))
    let pages = ViewPages(
      view: view, conditions: conditions, place: place, folded: try FoldedPosts(request.query), address: address)
    let (page, problems) = try read(pages)
    var posts = PostsPart(
      page, of: nil, in: data,
      PostForms(for: page.posts, in: data, own, back: request.back, namesTimelines: true) { page.timeline(of: $0) },
      emptiness: conditions.isEmpty && place == nil ? "There are no posts here yet." : "There are no such posts here.")
    posts.unread = data.unread(of: view)
    if request.wants(part: PostsPart.name) { return .part(posts.html) }
    var markup: Markup = "<p class=\"lead\">\(sources(of: view))</p>\n"
    markup += problems.map { "<section class=\"notice\"><p>\($0)</p></section>\n" as Markup }.joined()
    markup += PostConditionsForm(conditions, at: .view(view.name)).html
    if place != nil { markup += "<p><a href=\"\(address.text)\">Latest posts</a></p>\n" }
    markup += PageIcons.html + posts.html
    var shown = WebPage(view.name.text, markup)
    shown.unread = posts.unread ?? 0
    if place == nil { shown.live = .view(view.name) }
    return .page(shown)
  }

  /// The links to the timelines of a view.
  private func sources(of view: ViewSettings) -> Markup {
    if view.timelines.isEmpty { return "This view has no timelines." }
    let links = view.timelines.map { key -> Markup in
      "<a href=\"\(WebAddress.timeline(key).text)\">\(PageText.isolated(key.description))</a>"
    }
    return "Posts of \(links.joined(separator: ", "))"
  }

  /// Reads a page from the archives of the view's accounts, each as of a single moment.
  /// - Returns: also a sentence for each archive that cannot be read. The others are shown.
  private func read(_ pages: ViewPages) throws(WebError) -> (PostPage, problems: [String]) {
    let archives = WebArchives(data: data)
    var opened: [AccountName: any TimelineReading] = [:]
    defer { for archive in opened.values { archive.close() } }
    var problems: [String] = []
    for account in Set(pages.view.timelines.map(\.account)).sorted() {
      do throws(StorageError) { opened[account] = try archives.open(account) } catch {
        problems.append("The archive of \(account) cannot be read, so its posts are missing here: \(error).")
      }
    }
    while true {
      do throws(StorageError) { return (try pages.page(of: opened), problems) } catch {
        // Some damage is found only while the posts are read, and the error does not name the archive.
        guard let account = opened.first(where: { !Self.isReadable($0.value, pages) })?.key else {
          throw WebError(.serviceUnavailable, "The archives of this view cannot be read", "\(error).")
        }
        opened.removeValue(forKey: account)?.close()
        problems.append("The archive of \(account) cannot be read, so its posts are missing here: \(error).")
      }
    }
  }

  private static func isReadable(_ archive: any TimelineReading, _ pages: ViewPages) -> Bool {
    do throws(StorageError) {
      _ = try archive.state()
      for key in pages.view.timelines {
        let moment = pages.place?.moment(for: key.description)
        _ = try archive.posts(of: key.timeline, before: moment, atMost: PostPage.size)
      }
      return true
    } catch { return false }
  }
}
