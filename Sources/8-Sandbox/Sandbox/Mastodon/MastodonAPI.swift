internal import HTTP
internal import JSON
internal import Time

/// The part of Mastodon's API that a home timeline and posting need.
struct MastodonAPI: Sendable {
  private let flavour: MastodonFlavour
  private let home: MastodonHome
  private var limits: MastodonLimits
  /// The posts that users have published through the API.
  private(set) var publications: MastodonPublications

  init(_ flavour: MastodonFlavour, timeline: SandboxTimeline, limit: Int) {
    self.flavour = flavour
    home = MastodonHome(timeline: timeline, flavour: flavour)
    limits = MastodonLimits(flavour, limit: limit)
    publications = MastodonPublications(flavour)
  }

  /// Responds to an authenticated request. Every response contains the rate limit in its headers.
  mutating func response(
    to request: Request, _ route: MastodonRoute, by grant: SandboxGrant, base: String, at now: Timestamp,
    _ quirks: MastodonQuirks
  ) -> Response {
    let status = limits.count(grant.token, at: now)
    var response: Response
    do throws(MastodonError) {
      if status?.isExceeded == true { throw .tooManyRequests }
      let (whole, scope) =
        switch route {
        case .verifyCredentials: ("read", "read:accounts")
        case .statuses: ("write", "write:statuses")
        case .action: ("write", MastodonActions.scope(of: request))
        case .uploads, .oldUploads, .upload: ("write", "write:media")
        default: ("read", "read:statuses")
        }
      if quirks.hasCoarseScopes, !grant.allows(whole) { throw .outOfScope }
      guard flavour == .snac || grant.allows(whole) || grant.allows(scope) else { throw .outsideScopes }
      let writer = MastodonWriter(
        flavour: flavour, base: base, quirks: quirks, time: now, actions: publications.actions)
      switch route {
      case .homeTimeline: response = try page(request, writer, at: now)
      case .status: response = try post(request, writer, at: now)
      case .statuses:
        response = try publications.response(to: request, writer, at: now) { id in home.author(of: id, at: now) }
      case .action:
        response = try publications.perform(request, writer, at: now) { id in home.post(id, at: now) }
      case .uploads, .oldUploads: response = try publications.uploads.upload(request, quirks)
      case .upload:
        response = try publications.uploads.state(MastodonRoute.uploadID(in: request.target.path) ?? "", quirks)
      case .userStatuses: response = try ownPosts(request, writer)
      default: response = user(writer)
      }
    } catch {
      response = error.response(flavour)
      if case .tooManyRequests = error, case .html = quirks.limitPage {
        response = Response(status: .tooManyRequests, type: "text/html", text: "<html><body>Slow down</body></html>")
      }
    }
    if let status { limits.write(status, quirks.reset, to: &response) }
    return response
  }

  private func user(_ writer: MastodonWriter) -> Response {
    var json = JSONWriter()
    writer.write(.mira, isSelf: true, to: &json)
    return Response(json: json.bytes)
  }

  private func post(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    guard let id = MastodonRoute.statusID(in: request.target.path), !writer.quirks.deleted.contains(id),
      let post = publications.post(id) ?? home.post(id, at: now)
    else { throw .notFound }
    return Response(json: writer.json(post))
  }

  private func page(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    let query = try query(request)
    var posts = home.page(
      query, at: now, with: publications.posts, without: writer.quirks.deleted.union(writer.quirks.unlisted))
    switch writer.quirks.partial {
    case .empty: posts = []
    case .someMissing: posts = posts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    case nil: break
    }
    var response = Response(json: writer.json(posts))
    if writer.quirks.partial != nil { response.status = StatusCode(206) }
    if let link = link(posts, limit: query.limit, writer), let value = FieldValue(link) {
      response.headers.set("Link", value)
    }
    return response
  }

  /// Returns the user's own posts, newest first. snac ignores the limit, and leaves out posts for followers, even for their author.
  private func ownPosts(_ request: Request, _ writer: MastodonWriter) throws(MastodonError) -> Response {
    guard MastodonRoute.userID(in: request.target.path) == String(Author.mira.id) else { throw .notFound }
    let limit = flavour == .snac ? .max : try query(request).limit
    let posts = publications.posts.reversed().filter { flavour != .snac || $0.visibility == "public" }
    return Response(json: writer.json(Array(posts.prefix(limit))))
  }

  private func query(_ request: Request) throws(MastodonError) -> MastodonHome.Query {
    var query = MastodonHome.Query()
    do throws(RequestFormError) {
      let form = try RequestForm(query: request)
      if let limit = try form.value("limit").flatMap({ Int($0) }), limit > 0 {
        query.limit = min(limit, flavour.longestPage ?? limit)
      }
      query.maxID = try form.value("max_id")
      query.sinceID = try form.value("since_id")
      if flavour.pagesForward { query.minID = try form.value("min_id") }
    } catch { throw .invalid(error.description) }
    return query
  }

  /// Returns the links to the next and previous pages (RFC 8288); an empty page has none.
  private func link(_ posts: [SandboxPost], limit: Int, _ writer: MastodonWriter) -> String? {
    guard let newest = posts.first, let oldest = posts.last else { return nil }
    let host: String
    switch writer.quirks.links {
    case .missing: return nil
    case .own: host = writer.base
    case .toAnotherHost: host = "https://else.example"
    }
    let ids = MastodonIDWriter(flavour: flavour)
    let path = host + MastodonRoute.homeTimeline.rawValue
    let above = flavour.pagesForward ? "min_id" : "since_id"
    // snac omits the limit.
    let limit = flavour.pagesForward ? "limit=\(limit)&" : ""
    return "<\(path)?\(limit)max_id=\(ids.text(oldest.id))>; rel=\"next\", "
      + "<\(path)?\(limit)\(above)=\(ids.text(newest.id))>; rel=\"prev\""
  }
}
