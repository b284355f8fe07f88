internal import HTTP
internal import JSON
internal import Time

/// The part of Mastodon's API that timelines and posting need.
struct MastodonAPI: Sendable {
  let flavour: MastodonFlavour
  private(set) var timelines: MastodonPosts
  private var limits: MastodonLimits
  /// The posts that users have published through the API.
  private(set) var publications: MastodonPublications
  var markers: MastodonMarkers

  init(_ flavour: MastodonFlavour, timeline: SandboxTimeline, limit: Int) {
    self.flavour = flavour
    timelines = MastodonPosts(timeline)
    limits = MastodonLimits(flavour, limit: limit)
    publications = MastodonPublications(flavour, timelines.network.history)
    markers = MastodonMarkers(flavour)
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
      try check(grant, route.scope(of: request), quirks)
      let writer = MastodonWriter(
        flavour: flavour, base: base, quirks: quirks, time: now, isInEffect: publications.isInEffect())
      response = try self.response(to: request, route, writer, at: now)
    } catch {
      response = error.response(flavour)
      if case .tooManyRequests = error, case .html = quirks.limitPage {
        response = Response(status: .tooManyRequests, type: "text/html", text: "<html><body>Slow down</body></html>")
      }
    }
    if let status { limits.write(status, quirks.reset, to: &response) }
    return response
  }

  private func check(
    _ grant: SandboxGrant, _ scope: (whole: String, detail: String)?, _ quirks: MastodonQuirks
  ) throws(MastodonError) {
    guard let scope else { return }
    if quirks.hasCoarseScopes, !grant.allows(scope.whole) { throw .outOfScope }
    guard flavour == .snac || grant.allows(scope.whole) || grant.allows(scope.detail) else {
      throw quirks.refusesScopesAsUnauthorized ? .unauthorizedScope : .outsideScopes
    }
  }

  private mutating func response(
    to request: Request, _ route: MastodonRoute, _ writer: MastodonWriter, at now: Timestamp
  ) throws(MastodonError) -> Response {
    let quirks = writer.quirks
    if route == .notifications || route == .unreadCount { timelines.network.updateEvents(at: now) }
    switch route {
    case .homeTimeline: return try home(request, writer, at: now)
    case .listTimeline: return try listTimeline(request, writer, at: now)
    case .tagTimeline: return try tagTimeline(request, writer, at: now)
    case .userStatuses: return try userTimeline(request, writer, at: now)
    case .bookmarks: return try marks("bookmark", request, writer)
    // snac's list of favourites is always empty.
    case .favourites where flavour == .snac: return Response(json: Array("[]".utf8))
    case .favourites: return try marks("favourite", request, writer)
    case .notifications: return try notifications(request, writer, at: now)
    case .unreadCount: return try unreadCount(request, writer, at: now)
    case .lists, .list, .listAccounts, .followedTags, .lookup: return try names(request, route, writer)
    case .markers where request.method == .get: return try markers.response(to: request)
    case .markers: return try setMarkers(request, writer, at: now)
    case .status: return try post(request, writer, at: now)
    case .statuses:
      return try publications.response(to: request, writer, at: now) { id in
        timelines.author(of: id, at: now, writer.ids)
      }
    case .action:
      return try publications.perform(request, writer, at: now) { id in timelines.post(id, at: now, writer.ids) }
    case .uploads, .oldUploads: return try publications.uploads.upload(request, quirks)
    case .upload: return try publications.uploads.state(route.parameter(of: request), quirks)
    default: return user(writer)
    }
  }

  private func user(_ writer: MastodonWriter) -> Response {
    var json = JSONWriter()
    writer.write(.mira, isSelf: true, to: &json)
    return Response(json: json.bytes)
  }

  private func post(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    let id = MastodonRoute.status.parameter(of: request)
    guard !writer.quirks.deleted.contains(id),
      let post = publications.post(id, writer.ids) ?? timelines.post(id, at: now, writer.ids)
    else { throw .notFound }
    return Response(json: writer.json(post))
  }

  /// Sets the user's markers. In a conflict, another program has read everything.
  private mutating func setMarkers(
    _ request: Request, _ writer: MastodonWriter, at now: Timestamp
  ) throws(MastodonError) -> Response {
    guard writer.quirks.conflictsOnMarkers else { return try markers.set(request, at: now) }
    if let newest = timelines.home(at: now, with: publications.posts).first {
      markers.set("home", writer.ids.text(newest.id), at: now)
    }
    if let newest = visibleEvents(at: now, writer).first {
      markers.set("notifications", notificationID(newest, writer), at: now)
    }
    throw .conflict
  }
}
