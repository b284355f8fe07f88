internal import Cryptography
internal import Folders
internal import HTTP
internal import Settings
internal import Timeline

/// `/feeds`: the addresses of feeds, which feed readers open without entering; `/f/TOKEN/FILE`: the feeds, as published on the disk.
struct FeedPages: Sendable {
  let data: WebData
  let tokens: FeedTokens

  var routes: [Route] {
    [
      .get("/feeds") { [self] request in .page(page(at: request.origin)) },
      .post("/feeds") { [self] (request) throws(WebError) in try change(request) },
      .get("/f/{token}/{file}", for: .program) { [self] (request) throws(WebError) in try feed(request) },
    ]
  }

  // MARK: The list

  private func page(at origin: ServedOrigin) -> WebPage {
    let configuration = data.configuration
    let sources = FeedSource.all(in: configuration)
    guard !sources.isEmpty else {
      return WebPage(
        "Feeds", at: .feeds,
        """
        <p>No account or view is published as a feed. To publish one, add <code>"publish": ["atom"]</code> to it in the \
        configuration.</p>

        """)
    }
    let rows = sources.map { row($0, $0.published(in: configuration), origin) }
    return WebPage(
      "Feeds", at: .feeds,
      """
      <p>Feed readers of your own user open these addresses without entering. Each address opens only its feed. Keep it to \
      yourself, and revoke it if somebody else has seen it.</p>
      <ul class="rows">
      \(rows.joined())</ul>

      """)
  }

  private func row(_ source: FeedSource, _ formats: [PublishedFormat], _ origin: ServedOrigin) -> Markup {
    let token = tokens.token(of: source)
    let links = FeedSource.formats.filter { formats.contains($0.format) }.map { entry -> Markup in
      guard let token else { return "" }
      let address = origin.text + WebAddress("f", token, entry.file).text
      return "<p class=\"feed\"><a href=\"\(address)\">\(entry.name)</a> <code>\(address)</code></p>\n"
    }
    let (action, label): (String, String) = token == nil ? ("make", "Make an address") : ("revoke", "Revoke")
    return """
      <li><a href="\(source.page.text)">\(source.text)</a>
      <form class="fact" method="post" action="\(WebAddress("feeds").text)"><input type="hidden" name="feed" value="\(source.text)">\
      <button name="action" value="\(action)">\(label) <span class="unseen">for \(source.text)</span></button></form>
      \(links.joined())</li>

      """
  }

  private func change(_ request: WebRequest) throws(WebError) -> WebResponse {
    guard let source = request.form["feed"].flatMap({ FeedSource(text: $0) }) else {
      throw WebError(.badRequest, "This is no feed", "Use the buttons of the page.", way: .feeds)
    }
    switch request.form["action"] {
    case "make":
      guard FeedSource.all(in: data.configuration).contains(source) else {
        throw WebError(
          .notFound, "This feed is not published", "Add it to publish in the configuration.", way: .feeds)
      }
      try tokens.make(for: source)
    case "revoke": try tokens.revoke(source)
    default: throw WebError(.badRequest, "This is no action", "Use the buttons of the page.", way: .feeds)
    }
    return .redirect(to: WebAddress("feeds"))
  }

  // MARK: The feeds

  private func feed(_ request: WebRequest) throws(WebError) -> WebResponse {
    guard let source = tokens.source(of: request[parameter: "token"]) else {
      throw .guess(.notFound, "This feed does not exist", "Its address may have been revoked.")
    }
    guard let entry = FeedSource.formats.first(where: { $0.file == request[parameter: "file"] }),
      source.published(in: data.configuration).contains(entry.format)
    else { throw WebError(.notFound, "This feed is not published", "Add it to publish in the configuration.") }
    let path: String
    do throws(CryptographyError) { path = try source.path(entry.format, in: data.layout) } catch {
      throw WebError(.internalServerError, "The feed's file is not known", "\(error)")
    }
    let type: FieldValue = entry.format == .atom ? "application/atom+xml" : "application/feed+json"
    return .file(try FileResponse(path, type, .whileConfirmed))
  }
}

extension WebError.Way {
  fileprivate static let feeds = WebError.Way(WebAddress("feeds"), "All feeds")
}
