internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// The part of Twitter's v1.1 API that timelines and posting need.
struct TwitterAPI: Sendable {
  /// The same numbers as in the real API.
  private static let defaultCount = 20
  private static let maximalCount = 200
  /// The number of newest posts of the home timeline that other timelines are selected from.
  private static let reach = 800

  private var network: SandboxNetwork
  private let writer = PostWriter()
  private let isGNUSocial: Bool
  private let user: Author
  private var limiter: RateLimiter
  /// The posts that the user has published.
  var publications: TwitterPublications

  /// - Parameter isGNUSocial: whether timelines go back to the first post, and a `max_id` of 0 is ignored.
  init(timeline: SandboxTimeline, user: Author, isGNUSocial: Bool = false, limiter: RateLimiter) {
    network = SandboxNetwork(timeline)
    self.isGNUSocial = isGNUSocial
    self.user = user
    self.limiter = limiter
    publications = TwitterPublications(isGNUSocial: isGNUSocial, network.history)
  }

  /// Returns a post by its id.
  func post(_ id: UInt64, at time: Timestamp) -> SandboxPost? { publications.post(id) ?? network.post(id, at: time) }

  /// Responds to a signed request. Every response contains the rate limit in its headers.
  /// - Parameters:
  ///   - now: the time according to the provider's clock.
  ///   - time: the actual time, which determines which posts exist.
  mutating func response(
    to request: Request, _ route: TwitterRoute, authenticator: inout RequestAuthenticator, at now: Timestamp,
    time: Timestamp, late: LatePosts?, quirks: TimelineQuirks
  ) throws(TwitterError) -> Response {
    let quirks = quirks.with(TimelineQuirks.fault(of: request))
    let authenticated = try authenticator.admit(request, as: .user, at: now)
    let status = limiter.count("\(route.path) \(authenticated.token)", at: now)
    var response: Response
    do throws(TwitterError) {
      if status.isExceeded { throw .rateLimited }
      switch route {
      case .homeTimeline: response = try homeTimeline(request, authenticated.signature, at: time, late: late)
      case .userTimeline, .mentionsTimeline, .listStatuses, .favorites:
        if route == .mentionsTimeline { network.updateEvents(at: time) }
        response = try otherTimeline(route, authenticated.signature, at: time, quirks)
      case .lists: response = Response(json: TwitterListWriter.json(SandboxList.visible(quirks.lists)))
      case .update:
        let post = try publications.publish(authenticated.signature, at: time) { id in network.post(id, at: time) }
        response = Response(json: isGNUSocial ? GNUSocialWriter.json(post) : writer.json(post))
      case .show, .destroy, .retweet, .unretweet, .createFavorite, .destroyFavorite:
        let post = try publications.perform(route, request.target.path, authenticated.signature, at: time) { id in
          network.post(id, at: time)
        }
        let state = publications.state(of: post)
        response = Response(json: isGNUSocial ? GNUSocialWriter.json(post, state) : writer.json(post, state))
      case .upload:
        response = try publications.uploads.response(to: request, authenticated.signature, at: time)
      case .describeUpload:
        guard !isGNUSocial else { throw .notFound }
        response = try publications.uploads.describe(request, at: time)
      case .invalidateToken: response = Self.invalidate(authenticated.token, authenticator: &authenticator)
      default: response = verifyCredentials()
      }
    } catch {
      response = error.response
    }
    response.headers.set("x-rate-limit-limit", FieldValue(status.limit))
    response.headers.set("x-rate-limit-remaining", FieldValue(status.remaining))
    response.headers.set("x-rate-limit-reset", FieldValue(Int(status.reset.seconds)))
    return response
  }

  private func verifyCredentials() -> Response {
    Response(json: UserWriter.json(user, isSelf: true))
  }

  private static func invalidate(_ token: String, authenticator: inout RequestAuthenticator) -> Response {
    authenticator.revoke(token)
    var writer = JSONWriter()
    writer.object { $0.member("access_token", token) }
    return Response(json: writer.bytes)
  }

  private func homeTimeline(
    _ request: Request, _ signature: ReceivedSignature, at time: Timestamp, late: LatePosts?
  ) throws(TwitterError) -> Response {
    var query = try Self.query(signature)
    if isGNUSocial {
      query.reach = .max
      if query.maxID == 0 { query.maxID = nil }
    }
    let posts = Array(
      (network.timeline.page(query, at: time, late: late) + publications.newest(query)).sorted { $0.id > $1.id }
        .prefix(query.count))
    let isExtended = signature["tweet_mode"] == "extended"
    // Posts never change, so their ids and the form of the response identify the page.
    let tag = ContentTag(posts.map(\.id), isExtended: isExtended).text
    var response: Response
    if request.headers.lists(tag, in: "If-None-Match") {
      response = Response(status: .notModified)
    } else {
      response = Response(
        json: isGNUSocial ? GNUSocialWriter.json(posts) : writer.json(posts, isExtended: isExtended))
    }
    if let tag = FieldValue(tag) { response.headers.set("ETag", tag) }
    response.headers.set("Cache-Control", "no-cache")
    return response
  }

  // MARK: Other timelines

  private func otherTimeline(
    _ route: TwitterRoute, _ signature: ReceivedSignature, at time: Timestamp, _ quirks: TimelineQuirks
  ) throws(TwitterError) -> Response {
    let query = try Self.query(signature)
    let (since, most) = (query.sinceID ?? 0, isGNUSocial && query.maxID == 0 ? .max : query.maxID ?? .max)
    let posts = try entries(route, signature, at: time, quirks).lazy.filter { $0.id > since && $0.id <= most }
      .prefix(quirks.ignoresLimit ? .max : query.count).map { network.post($0) }
    return Response(json: json(quirks.sent(Array(posts)).filter { !query.excludesReplies || $0.reply == nil }))
  }

  /// Returns the posts in a timeline, newest first.
  private func entries(
    _ route: TwitterRoute, _ signature: ReceivedSignature, at time: Timestamp, _ quirks: TimelineQuirks
  ) throws(TwitterError) -> [SandboxEntry] {
    switch route {
    case .mentionsTimeline:
      return network.events(at: time).filter { $0.kind == .mention }.compactMap(\.post).map { .post($0) }
        .sorted { $0.id > $1.id }
    case .listStatuses:
      guard let list = SandboxList.visible(quirks.lists).first(where: { String($0.id) == signature["list_id"] }) else {
        throw .notFound
      }
      return network.posts(in: list, at: time, reach: Self.reach)
    case .favorites:
      guard try author(signature).id == user.id else { return [] }
      return publications.favourites.values.sorted { $0.id > $1.id }.map { .post($0) }
    default:
      let author = try author(signature)
      let own = author.id == user.id ? publications.posts.reversed().map { SandboxEntry.post($0) } : []
      return own + network.posts(by: author, at: time, reach: Self.reach)
    }
  }

  /// Returns the user that a request names; without a name, the token's user.
  private func author(_ signature: ReceivedSignature) throws(TwitterError) -> Author {
    guard let name = signature["screen_name"] ?? signature["user_id"] else { return user }
    guard let author = Author.everyone.first(where: { $0.screenName == name.lowercased() || String($0.id) == name })
    else { throw .notFound }
    return author
  }

  private func json(_ posts: [SandboxPost]) -> [UInt8] {
    isGNUSocial ? GNUSocialWriter.json(posts) : writer.json(posts, isExtended: true)
  }

  private static func query(_ signature: ReceivedSignature) throws(TwitterError) -> SandboxTimeline.Query {
    var query = SandboxTimeline.Query()
    let count = signature["count"].flatMap { Int($0) } ?? defaultCount
    query.count = count < 1 ? defaultCount : min(count, maximalCount)
    query.sinceID = try id("since_id", in: signature)
    query.maxID = try id("max_id", in: signature)
    query.excludesReplies = ["true", "t", "1"].contains(signature["exclude_replies"])
    return query
  }

  private static func id(_ name: String, in signature: ReceivedSignature) throws(TwitterError) -> UInt64? {
    guard let text = signature[name] else { return nil }
    guard let id = UInt64(text) else { throw .badParameter(name) }
    return id
  }
}

/// An entity tag (RFC 9110 §8.8.3) for a page of posts.
struct ContentTag {
  let text: String

  init(_ ids: [UInt64], isExtended: Bool) {
    var dice = SeededRandom(isExtended ? 2 : 1, UInt64(ids.count))
    for id in ids { dice.stir(id) }
    text = "\"\(String(dice.next(), radix: 36))\""
  }
}
