internal import Bytes
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Timeline

/// The timelines of Mastodon's API.
enum MastodonTimelines {
  static let pageSize = 40
  /// Servers keep about 400 posts of the home timeline and of each list.
  private static let keptPosts = 400
  /// Most posts from other servers arrive within two minutes, and are sorted by the time they were written.
  private static let overlap = Duration.seconds(120)

  /// Returns a timeline's properties; `nil` if the API lacks it.
  static func traits(of kind: TimelineName.Kind) -> TimelineTraits? {
    switch kind {
    case .home, .list:
      TimelineTraits(pageSize: pageSize, reach: keptPosts, overlap: overlap, rereadEvery: 5)
    case .tag, .user: TimelineTraits(pageSize: pageSize, reach: .max, overlap: overlap, rereadEvery: 5)
    case .bookmarks, .likes: TimelineTraits(pageSize: pageSize, reach: .max, overlap: .zero, order: .byMark)
    // Servers keep notifications for months, and all of them can be reached.
    case .notifications, .mentions:
      TimelineTraits(pageSize: pageSize, reach: .max, overlap: overlap, rereadEvery: 5)
    }
  }

  /// Returns the path of the query's timeline.
  static func path(of query: TimelineQuery) -> String {
    let reference = query.reference ?? ""
    return switch query.timeline.kind {
    case .home: "/api/v1/timelines/home"
    case .notifications, .mentions: "/api/v1/notifications"
    case .list: "/api/v1/timelines/list/\(reference)"
    case .tag: "/api/v1/timelines/tag/\(OAuth.PercentEncoding.encode(query.timeline.argument ?? ""))"
    case .user: "/api/v1/accounts/\(reference)/statuses"
    case .bookmarks: "/api/v1/bookmarks"
    case .likes: "/api/v1/favourites"
    }
  }

  /// Returns the parameters that select the timeline's part of what its path offers. Mentions are the notifications of this type, because
  /// the API has no other list of them. Mastodon 4.6 describes the notifications whose types are not among the supported ones.
  static func selection(of kind: TimelineName.Kind) -> [Parameter] {
    switch kind {
    case .mentions: [Parameter("types[]", Notice.Kind.mention.rawValue)]
    case .notifications: Notice.Kind.allCases.map { Parameter("supported_types[]", $0.rawValue) }
    case .home, .list, .tag, .user, .bookmarks, .likes: []
    }
  }
}

extension Mastodon {
  package func traits(of timeline: TimelineName) -> TimelineTraits? { MastodonTimelines.traits(of: timeline.kind) }

  package func referenceRequest(for timeline: TimelineName) -> ClientRequest? {
    switch timeline.kind {
    case .list: listsRequest()
    case .user:
      .get(
        place.endpoint("/api/v1/accounts/lookup"),
        query: [Parameter("acct", String((timeline.argument ?? "").drop { $0 == "@" }))])
    case .home, .notifications, .mentions, .tag, .bookmarks, .likes: nil
    }
  }

  package func reference(
    to timeline: TimelineName, from response: ProviderResponse
  ) throws(ProviderFailure) -> String {
    let name = timeline.argument ?? ""
    if timeline.kind == .list { return try lists(from: response).list(named: name).id }
    let account: MastodonAccount
    do throws(ProviderFailure) {
      account = try read(response, .object, expected: "a user") { cursor in try MastodonAccount(&cursor) }
    } catch {
      guard case .closed = error else { throw error }
      throw .configuration("\(serverName) knows no user \(name).")
    }
    guard let id = account.id, Self.isPlainID(id) else {
      throw .unreadable("\(serverName) sent a user without an id for \(name).")
    }
    return id
  }

  /// Returns the links of a page in the order of the user's marks. The `max_id` of the link to the next page is what the server calls it. A
  /// link to another server or path has none.
  func walkLinks(in response: ProviderResponse, path: String) -> MastodonWalkLinks {
    let links = response.header("link").map { LinkHeader($0) }
    let target = links?.target(of: "next")
    var next: String?
    if let target, let url = try? RequestURL(target), url.origin == server, url.path == path,
      let parameters = try? url.query.map({ query in try OAuth.FormEncoding.decode(query) })
    {
      next = parameters.first { $0.name.elementsEqual("max_id".utf8) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
    return MastodonWalkLinks(next: next, hasNext: target != nil, hasPrevious: links?.target(of: "prev") != nil)
  }
}
