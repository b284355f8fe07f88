internal import Timeline

/// The timelines of Twitter's v1.1 API.
enum TwitterTimelines {
  static let pageSize = 200
  /// Twitter delivers the newest 800 posts of most timelines.
  private static let reach = 800

  static let traits = TimelineTraits(pageSize: pageSize, reach: reach, overlap: .seconds(10), window: .kind)

  /// The path of a timeline below the API; `nil` for a timeline that the API lacks.
  static func path(of kind: TimelineName.Kind) -> String? {
    switch kind {
    case .home: "statuses/home_timeline.json"
    case .mentions: "statuses/mentions_timeline.json"
    case .user: "statuses/user_timeline.json"
    case .list: "lists/statuses.json"
    case .likes: "favorites/list.json"
    case .notifications, .tag, .bookmarks: nil
    }
  }
}
