internal import Bytes
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Timeline

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

extension TwitterCompatible {
  package func traits(of timeline: TimelineName) -> TimelineTraits? {
    timeline.kind == .home || address(of: timeline.kind) != nil ? TwitterTimelines.traits : nil
  }

  package func referenceRequest(for timeline: TimelineName) -> ClientRequest? {
    timeline.kind == .list ? listsRequest() : nil
  }

  package func listsRequest() -> ClientRequest? {
    addresses.endpoint("lists/list.json").map { .get($0, query: []) }
  }

  package func reference(
    to timeline: TimelineName, from response: ProviderResponse
  ) throws(ProviderFailure) -> String { try lists(from: response).list(named: timeline.argument ?? "").id }

  package func lists(from response: ProviderResponse) throws(ProviderFailure) -> [ServerList] {
    var lists: [ServerList] = []
    _ = try value(.array, in: response, expected: "a list of lists") { cursor in
      try cursor.pageElements { cursor in
        var (id, name): (String?, String?)
        try cursor.lenientMembers { cursor, member in
          switch member {
          case "id_str": id = try cursor.lenientPostID() ?? id
          case "id": id = try id ?? cursor.lenientPostID()
          case "name": name = try cursor.lenientString() ?? name
          default: try cursor.skip()
          }
        }
        if let id, let name { lists.append(ServerList(id: id, title: name)) }
      }
      return ()
    }
    return lists
  }

  /// Returns the address of the query's timeline, and the parameters that select it.
  func timelineAddress(for query: TimelineQuery) -> (RequestURL, [Parameter]) {
    let address = address(of: query.timeline.kind) ?? addresses.homeTimeline
    return switch query.timeline.kind {
    case .list: (address, [Parameter("list_id", query.reference ?? "")])
    case .user: (address, [Parameter("screen_name", String((query.timeline.argument ?? "").drop { $0 == "@" }))])
    case .home, .notifications, .mentions, .tag, .bookmarks, .likes: (address, [])
    }
  }

  /// Returns the address of the timelines of a kind; `nil` if it cannot be derived from the home timeline's address.
  private func address(of kind: TimelineName.Kind) -> RequestURL? {
    TwitterTimelines.path(of: kind).flatMap { addresses.endpoint($0) }
  }
}
