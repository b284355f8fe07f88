import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import SandboxSupport
import Testing
import Time
import Timeline

@testable import Providers
@testable import Sandbox

@Suite("Mastodon timelines from a simulated server")
struct MastodonAtSandboxTests {
  /// Reads timelines with the same requests as the service.
  private struct Reader {
    static let base = "http://127.0.0.1:4000"
    let provider = try! Mastodon(at: ProviderLocation(.oauth2, at: RequestURL(base)))!
    var server: MastodonSandbox
    var now = Timestamp(seconds: 1_795_190_400)
    var token = ""
    var spans = Spans()
    var posts: [String: Post] = [:]
    var requests = 0
    let timeline: TimelineName

    init(_ flavour: MastodonFlavour, timeline: TimelineName = .home) throws {
      self.timeline = timeline
      server = MastodonSandbox(flavour)
      // The tokens do not expire, because the reader does not renew tokens.
      server.oauth.policy.accessLife = nil
      let redirect = "http://127.0.0.1/cb"
      let scopes = APIScopes.mastodon.reading([.home, .notifications])
      let registration = try provider.registration(
        from: send(try #require(provider.registrationRequest(redirect: redirect, scopes: scopes))))
      let secret = registration.clientSecret.withExposedText { $0 }
      let question = [
        Parameter("response_type", "code"), Parameter("client_id", registration.clientID),
        Parameter("redirect_uri", redirect), Parameter("scope", scopes.joined(separator: " ")),
        Parameter("action", "allow"),
      ]
      let agreed = respond(.post, "/oauth/authorize", question)
      let location = try RequestURL(try #require(agreed.headers.first("Location")))
      let code = try #require(try FormEncoding.decode(location.query ?? "").first { $0.isNamed("code") }?.valueText)
      let issued = respond(
        .post, "/oauth/token",
        [
          Parameter("grant_type", "authorization_code"), Parameter("code", code), Parameter("redirect_uri", redirect),
          Parameter("client_id", registration.clientID), Parameter("client_secret", secret),
        ])
      let response = try AccessTokenResponse(
        OAuthResponse(status: issued.status.code, challenges: [], body: issued.body))
      token = response.accessToken.withExposedText { $0 }
    }

    mutating func respond(_ method: RequestMethod, _ target: String, _ form: [Parameter]) -> Response {
      var headers: HeaderFields = [.host: "127.0.0.1:4000"]
      if method == .post { headers.set(.contentType, "application/x-www-form-urlencoded") }
      if !token.isEmpty { headers.set("Authorization", FieldValue("Bearer \(token)")!) }
      let request = Request(
        method: method, target: RequestTarget(target)!, headers: headers, body: Array(FormEncoding.encode(form).utf8))
      return server.response(to: request, at: now).response
    }

    mutating func send(_ request: ClientRequest) throws -> ProviderResponse {
      requests += 1
      let url = try RequestURL(request.url)
      let response = respond(request.method, url.path + (url.query.map { "?" + $0 } ?? ""), try request.form)
      return ProviderResponse(
        status: response.status.code, body: response.body, receivedAt: now, hiding: .nothing, headers: response.headers)
    }

    mutating func fetch(_ query: TimelineQuery) throws -> PageResponse.Fetched {
      guard case .page(let fetched) = try provider.page(from: send(provider.pageRequest(for: query)), for: query) else {
        throw NoPage()
      }
      for entry in fetched.page.entries { posts[entry.mark.id.text] = entry.post }
      return fetched
    }

    /// Reads the newest page, and the pages above it.
    mutating func refresh() throws {
      var hasMore = true
      while hasMore {
        let fetched = try fetch(TimelineQuery(timeline, since: spans.top?.newest, count: 40))
        spans.insert(head: fetched.page)
        hasMore = fetched.hasNewer
      }
    }

    /// Reads pages from the gaps as long as they add posts.
    mutating func fill() throws {
      while let gap = spans.gaps.first(where: \.isFillable), let cursor = gap.cursor {
        let before = spans
        let page = try fetch(TimelineQuery(timeline, older: cursor, since: gap.after, count: 40)).page
        spans.insert(page, continuing: cursor)
        if spans == before { return }
      }
    }

    /// Returns the server's posts, from the newest down to the first known one.
    mutating func truth(downTo id: String) throws -> Set<String> {
      var ids: Set<String> = []
      var cursor: PageCursor?
      var copy = self
      copy.server.quirks = MastodonQuirks()
      while !ids.contains(id) {
        let page = try copy.fetch(TimelineQuery(timeline, older: cursor, count: 40)).page
        for entry in page.entries {
          ids.insert(entry.mark.id.text)
          if entry.mark.id.text == id { return ids }
        }
        guard let older = page.older else { throw NoPage() }
        cursor = older
      }
      return ids
    }
  }

  private struct NoPage: Error {}

  @Test(
    "a Mastodon token identifies its user, and an invalid token requires a login", arguments: MastodonFlavour.allCases)
  func user(flavour: MastodonFlavour) throws {
    var reader = try Reader(flavour)
    let request = try #require(reader.provider.userRequest())
    guard case .user(let user) = try reader.provider.userStep(after: reader.send(request)) else { throw NoPage() }
    #expect(user.screenName == "mira_demo" && user.id == "14000001")
    reader.token = "dead"
    let response = try reader.send(request)
    let error = #expect(throws: ProviderFailure.self) { try reader.provider.userStep(after: response) }
    #expect(error?.problem.code == .notAuthorised)
    let page = #expect(throws: ProviderFailure.self) { try reader.fetch(TimelineQuery(count: 1)) }
    // snac gives no reason, as a proxy might; only the answer about the user above proves that the token is invalid.
    #expect(page?.problem.code == (flavour == .snac ? .provider : .notAuthorised))
  }

  @Test(
    "after hours of absence, all posts published in the meantime are read without a gap",
    arguments: MastodonFlavour.allCases
  )
  func absence(flavour: MastodonFlavour) throws {
    var reader = try Reader(flavour)
    try reader.refresh()
    let oldest = try #require(reader.spans.bottom?.oldest.id.text)
    reader.now = reader.now + .seconds(3 * 3600)
    reader.requests = 0
    try reader.refresh()
    if flavour != .snac { #expect(reader.spans.gaps.isEmpty, "read upwards") }
    try reader.fill()
    #expect(reader.spans.gaps.isEmpty && reader.spans.all.count == 1)
    #expect(Set(reader.posts.keys) == (try reader.truth(downTo: oldest)))
    #expect(reader.posts.count > 250 && reader.requests < 12)
  }

  @Test(
    "after hours of absence, all notifications and all mentions are read without a gap",
    arguments: MastodonFlavour.allCases, ["notifications", "mentions"])
  func notifications(flavour: MastodonFlavour, timeline: String) throws {
    var reader = try Reader(flavour, timeline: try TimelineName(timeline))
    try reader.refresh()
    let oldest = try #require(reader.spans.bottom?.oldest.id.text)
    reader.now = reader.now + .seconds(6 * 3600)
    try reader.refresh()
    try reader.fill()
    #expect(reader.spans.gaps.isEmpty && reader.spans.all.count == 1)
    #expect(Set(reader.posts.keys) == (try reader.truth(downTo: oldest)))
    let kinds = Set(reader.posts.values.compactMap(\.notice?.kind))
    if timeline == "mentions" {
      #expect(kinds == ["mention"])
    } else {
      #expect(kinds.isSuperset(of: ["follow", "mention"]))
    }
    for post in reader.posts.values { #expect(post.isEventOnly || !post.text.isEmpty || !post.media.isEmpty) }
  }

  @Test("every kind of notification of a simulated server can be read, and an unknown kind has the server's text")
  func kindsOfNotifications() throws {
    let notifications = try TimelineName("notifications")
    var reader = try Reader(.mastodon, timeline: notifications)
    var older: PageCursor?
    repeat {
      let fetched = try reader.fetch(TimelineQuery(notifications, older: older, count: 40))
      #expect(fetched.skipped == 0)
      older = fetched.page.older
    } while older != nil
    let notices = reader.posts.values.compactMap(\.notice)
    #expect(Set(notices.map(\.kind)) == Set(SandboxEvent.Kind.allCases.map(\.rawValue)))
    #expect(notices.filter { $0.kind == "sandbox.wave" }.allSatisfy { $0.text?.contains(" waved at you\n") == true })
    #expect(notices.filter { $0.knownKind == .severedRelationships }.allSatisfy { $0.text == "gone.example" })
    let likes = Dictionary(grouping: notices.filter { $0.knownKind == .favourite }, by: \.group)
    #expect(likes[nil] == nil && likes.values.contains { $0.count > 1 })
    for post in reader.posts.values {
      let isAboutUser = [.follow, .followRequest, .severedRelationships, nil].contains(post.notice?.knownKind)
      #expect(post.isEventOnly == isAboutUser)
    }
    reader.server.quirks.hostile = true
    let hostile = try reader.fetch(TimelineQuery(notifications, count: 40))
    #expect(hostile.page.entries.count == 40 && hostile.skipped == 0)
  }

  @Test(
    "without Link headers, the same posts are read in several rounds",
    arguments: [MastodonQuirks.Links.missing, .toAnotherHost])
  func withoutLinks(links: MastodonQuirks.Links) throws {
    var reader = try Reader(.mastodon)
    reader.server.quirks.links = links
    try reader.refresh()
    let oldest = try #require(reader.spans.bottom?.oldest.id.text)
    reader.now = reader.now + .seconds(3 * 3600)
    for _ in 0..<8 {
      try reader.refresh()
      try reader.fill()
      #expect(reader.spans.gaps.isEmpty)
    }
    #expect(Set(reader.posts.keys) == (try reader.truth(downTo: oldest)))
  }

  @Test("posts missing while the server rebuilds the timeline are read afterwards")
  func partial() throws {
    var reader = try Reader(.mastodon)
    try reader.refresh()
    let oldest = try #require(reader.spans.bottom?.oldest.id.text)
    reader.now = reader.now + .seconds(3600)
    for partial in [MastodonQuirks.Partial.empty, .someMissing] {
      reader.server.quirks.partial = partial
      try reader.refresh()
      try reader.fill()
    }
    #expect(reader.spans.gaps.count == 1, "the posts in between do not count as known")
    reader.server.quirks.partial = nil
    try reader.refresh()
    try reader.fill()
    #expect(reader.spans.gaps.isEmpty)
    #expect(Set(reader.posts.keys) == (try reader.truth(downTo: oldest)))
  }

  @Test("a snac cursor at a deleted post keeps a gap from being filled, and the gap is still reported")
  func deletedCursor() throws {
    var reader = try Reader(.snac)
    try reader.refresh()
    reader.now = reader.now + .seconds(3 * 3600)
    try reader.refresh()
    let cursor = try #require(reader.spans.gaps.first?.cursor)
    reader.server.quirks.deleted = [cursor.text]
    try reader.fill()
    #expect(reader.spans.gaps.count == 1 && !reader.spans.gaps[0].isFillable)
  }

  @Test("boosts of deleted posts are left out, edits are shown, and hostile text is reduced to plain text")
  func oddPosts() throws {
    var reader = try Reader(.mastodon)
    try reader.refresh()
    #expect(reader.posts.values.contains { $0.repostedBy != nil } && reader.posts.values.contains { $0.quoted != nil })
    let marked = reader.posts.values.map(\.text).filter { $0.contains("</") || $0.contains("RE: ") }
    #expect(marked.isEmpty)
    var hollow = reader
    hollow.server.quirks.hollowBoosts = true
    let fetched = try hollow.fetch(TimelineQuery(count: 40))
    #expect(fetched.skipped == 0 && !fetched.page.entries.contains { $0.post.repostedBy != nil })
    reader.server.quirks.edited = (every: 1, since: reader.now)
    let edited = try reader.fetch(TimelineQuery(count: 40)).page.entries
    #expect(edited.allSatisfy { $0.post.text.hasPrefix("Edited: ") || $0.post.repostedBy != nil })
    #expect(edited.contains { $0.post.text.hasPrefix("Edited: ") && $0.post.editedAt != nil })
    reader.server.quirks.hostile = true
    let hostile = try reader.fetch(TimelineQuery(count: 40)).page.entries
    #expect(hostile.count == 40 && hostile.map(\.key) == edited.map(\.key))
    #expect(hostile.allSatisfy { !$0.post.text.contains("alert") && !$0.post.text.contains("javascript") })
  }

  @Test("a parked or moved Mastodon server is reported, and the server's rate limit is read")
  func refusals() throws {
    var reader = try Reader(.goToSocial)
    reader.server.quirks.fate = .parked
    let parked = #expect(throws: ProviderFailure.self) { try reader.fetch(TimelineQuery(count: 1)) }
    #expect(parked?.description.contains("web page") == true)
    reader.server.quirks.fate = .moved(to: "https://new.example")
    let moved = #expect(throws: ProviderFailure.self) { try reader.fetch(TimelineQuery(count: 1)) }
    #expect(moved?.problem.code == .provider)
    reader.server.quirks.fate = nil
    let response = try reader.send(reader.provider.pageRequest(for: TimelineQuery(count: 1)))
    let limit = try #require(reader.provider.rateLimit(from: response))
    #expect(limit.limit == 300 && limit.reset == reader.now + .seconds(300))
  }
}
