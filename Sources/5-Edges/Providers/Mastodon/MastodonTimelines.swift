internal import Bytes
internal import HomelineOAuth
internal import Timeline

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
