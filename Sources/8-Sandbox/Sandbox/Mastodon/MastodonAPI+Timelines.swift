internal import HTTP
internal import JSON
internal import Time

/// The timelines and the lists that lead to them.
extension MastodonAPI {
  /// The default and the maximum of the number of unread notifications.
  private static let unreadLimits = (usual: 100, greatest: 1_000)

  func home(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    var query = try query(request, writer)
    if !flavour.pagesForward { query.minID = nil }
    let all = visible(timelines.home(at: now, with: publications.posts), writer)
    let paging = MastodonPaging(ids: writer.ids)
    var response = page(all, query, paging, to: request, writer, writer.quirks.partial, key: \.id) {
      Response(json: json($0, writer))
    }
    if writer.quirks.partial != nil { response.status = StatusCode(206) }
    return response
  }

  /// Returns a page of a list's timeline. If the list does not exist, snac returns an empty one.
  func listTimeline(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    guard let list = MastodonListWriter(writer: writer).list(MastodonRoute.listTimeline.parameter(of: request)) else {
      if flavour == .snac { return Response(json: Array("[]".utf8)) }
      throw .notFound
    }
    return try posts(timelines.posts(in: list, at: now), query(request, writer), to: request, writer)
  }

  func tagTimeline(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    let tag = MastodonRoute.tagTimeline.parameter(of: request)
    // snac finds only ASCII tags.
    let isKnown = !tag.isEmpty && !writer.quirks.disablesTags && (flavour != .snac || tag.utf8.allSatisfy { $0 < 0x80 })
    let all = isKnown ? timelines.posts(tagged: tag, at: now, with: publications.posts) : []
    let query = try query(request, writer)
    return posts(all, query, to: request, writer) { post in
      (!query.isTrue("only_media") || !post.attachments.isEmpty)
        && (!query.isTrue("local") || !MastodonPeople.isRemote(post.author))
    }
  }

  /// Returns a page of an account's posts. GoToSocial's default limit is greater than for other timelines, and its timeline of an unknown
  /// account is empty. snac ignores all parameters but ids, and leaves out posts for followers, even for their author.
  func userTimeline(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    let id = MastodonRoute.userStatuses.parameter(of: request)
    guard let author = Author.everyone.first(where: { String($0.id) == id }) else {
      if flavour == .goToSocial { return Response(json: Array("[]".utf8)) }
      throw .notFound
    }
    let all = timelines.posts(by: author, at: now, with: publications.posts)
    var quirks = writer.quirks
    if flavour == .snac { (quirks.timelines.ignoresLimit, quirks.treatsMinIDAsSinceID) = (true, true) }
    let query = try MastodonQuery(
      request, usual: flavour == .goToSocial ? 30 : 20, greatest: flavour.longestPage, flavour, quirks)
    if flavour == .snac { return posts(all, query, to: request, writer) { $0.visibility == "public" } }
    return posts(query.isTrue("pinned") ? [] : all, query, to: request, writer) { post in
      (!query.isTrue("exclude_replies") || post.reply == nil)
        && (!query.isTrue("exclude_reblogs") || !post.isRepost)
        && (!query.isTrue("only_media") || !post.attachments.isEmpty)
        && (query.value("tagged").map { post.hasTag($0.lowercased()) } ?? true)
    }
  }

  /// Returns a page of the posts that the user has marked, in the order of marking.
  func marks(_ action: String, _ request: Request, _ writer: MastodonWriter) throws(MastodonError) -> Response {
    var paging = MastodonPaging(ids: flavour == .snac ? writer.ids : writer.smallIDs, hasLinks: flavour != .snac)
    paging.endsWithShortPage = flavour == .mastodon || flavour == .oldMastodon
    let all = publications.marks.list(action).filter { !writer.quirks.deleted.contains(writer.ids.text($0.post.id)) }
    return page(all, try query(request, writer), paging, to: request, writer, key: { MastodonMarks.key($0, flavour) }) {
      Response(json: writer.json($0.map(\.post)))
    }
  }

  // MARK: Notifications

  func notifications(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response
  {
    let limits = flavour.notificationsPage
    var quirks = writer.quirks
    if flavour == .snac { quirks.treatsMinIDAsSinceID = true }
    let query = try MastodonQuery(request, usual: limits.usual, greatest: limits.greatest, flavour, quirks)
    let paging = MastodonPaging(ids: writer.smallIDs, hasLinks: flavour != .snac)
    let output = MastodonNotificationWriter(writer: writer, supportedTypes: query.values("supported_types[]"))
    return page(
      visibleEvents(at: now, writer, query), query, paging, to: request, writer,
      key: { MastodonNotificationWriter.key($0, flavour) }
    ) { Response(json: output.json($0)) }
  }

  /// Returns the number of notifications above the marker.
  func unreadCount(_ request: Request, _ writer: MastodonWriter, at now: Timestamp) throws(MastodonError) -> Response {
    guard flavour == .mastodon else { throw .notFound }
    let query = try MastodonQuery(
      request, usual: Self.unreadLimits.usual, greatest: Self.unreadLimits.greatest, flavour, writer.quirks)
    let read = markers.lastNotification.flatMap(writer.smallIDs.number) ?? 0
    let unread = visibleEvents(at: now, writer, query).count { MastodonNotificationWriter.key($0, flavour) > read }
    var json = JSONWriter()
    json.object { $0.member("count", min(unread, query.limit)) }
    return Response(json: json.bytes)
  }

  /// Returns the events that the server reports, newest first.
  /// - Parameter query: selects types and an account.
  func visibleEvents(
    at now: Timestamp, _ writer: MastodonWriter, _ query: MastodonQuery? = nil
  ) -> [SandboxEvent] {
    let types = query?.values("types[]") ?? []
    let excluded = query?.values("exclude_types[]") ?? []
    let account = query?.value("account_id")
    return timelines.network.events(at: now).filter { event in
      let name = event.kind.rawValue
      return flavour.notificationTypes.contains(event.kind) && (types.isEmpty || types.contains(name))
        && !excluded.contains(name) && (account.map { String(event.actor.id) == $0 } ?? true)
        && event.post.map { !writer.quirks.deleted.contains(writer.ids.text($0.id)) } ?? true
    }
  }

  func notificationID(_ event: SandboxEvent, _ writer: MastodonWriter) -> String {
    writer.smallIDs.text(MastodonNotificationWriter.key(event, flavour))
  }

  // MARK: The names of timelines

  func names(_ request: Request, _ route: MastodonRoute, _ writer: MastodonWriter) throws(MastodonError) -> Response {
    let output = MastodonListWriter(writer: writer)
    switch route {
    case .lists: return Response(json: output.json(output.lists))
    case .followedTags: return try followedTags(request, writer)
    case .lookup: return try lookup(request, writer)
    default:
      guard let list = output.list(route.parameter(of: request)) else { throw .notFound }
      if route == .list { return Response(json: output.json(list)) }
      return Response(json: output.json(list.members.prefix(try query(request, writer).count)))
    }
  }

  /// Returns a page of the hashtags that the user follows, the last followed first. snac's list is always empty.
  private func followedTags(_ request: Request, _ writer: MastodonWriter) throws(MastodonError) -> Response {
    let query = try MastodonQuery(
      request, usual: FollowedTag.usualPage, greatest: FollowedTag.longestPage, flavour, writer.quirks)
    let all = flavour == .snac ? [] : FollowedTag.all
    var paging = MastodonPaging(ids: writer.smallIDs)
    paging.endsWithShortPage = flavour == .mastodon || flavour == .oldMastodon
    return page(all, query, paging, to: request, writer, key: { $0.key(flavour) }) { tags in
      Response(json: MastodonListWriter(writer: writer).json(tags: tags.map(\.name)))
    }
  }

  private func lookup(_ request: Request, _ writer: MastodonWriter) throws(MastodonError) -> Response {
    let given = try query(request, writer).value("acct")?.lowercased() ?? ""
    // The addresses of accounts on this server may contain its host.
    let name = given.hasSuffix("@" + writer.host) ? String(given.dropLast(writer.host.count + 1)) : given
    guard let author = Author.everyone.first(where: { MastodonPeople.address($0) == name }) else { throw .notFound }
    var json = JSONWriter()
    writer.write(author, to: &json)
    return Response(json: json.bytes)
  }

  // MARK: Pages

  private func query(_ request: Request, _ writer: MastodonWriter) throws(MastodonError) -> MastodonQuery {
    try MastodonQuery(request, usual: 20, greatest: flavour.longestPage, flavour, writer.quirks)
  }

  /// Returns a page of posts.
  private func posts(
    _ all: [SandboxEntry], _ query: MastodonQuery, to request: Request, _ writer: MastodonWriter,
    where isWanted: ((SandboxPost) -> Bool)? = nil
  ) -> Response {
    var all = visible(all, writer)
    if let isWanted { all = all.filter { isWanted(timelines.network.post($0)) } }
    let paging = MastodonPaging(ids: writer.ids, hasLinks: flavour != .snac)
    return page(all, query, paging, to: request, writer, key: \.id) { Response(json: json($0, writer)) }
  }

  /// Removes the posts that the server does not show.
  private func visible(_ entries: [SandboxEntry], _ writer: MastodonWriter) -> [SandboxEntry] {
    let omitted = writer.quirks.deleted.union(writer.quirks.unlisted)
    return omitted.isEmpty ? entries : entries.filter { !omitted.contains(writer.ids.text($0.id)) }
  }

  private func page<Entry>(
    _ all: [Entry], _ query: MastodonQuery, _ paging: MastodonPaging, to request: Request, _ writer: MastodonWriter,
    _ partial: MastodonQuirks.Partial? = nil, key: (Entry) -> UInt64, response: ([Entry]) -> Response
  ) -> Response {
    var page = Array(paging.page(all, query, key: key))
    switch partial {
    case .empty: page = []
    case .someMissing: page = page.everyOther
    case nil: break
    }
    let link = paging.link(page.map(key), query, to: request, writer)
    var response = response(writer.quirks.timelines.sent(page))
    if let link = link.flatMap({ FieldValue($0) }) { response.headers.set("Link", link) }
    return response
  }

  private func json(_ entries: [SandboxEntry], _ writer: MastodonWriter) -> [UInt8] {
    writer.json(entries.map { timelines.network.post($0) })
  }
}
