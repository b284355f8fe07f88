internal import Bytes
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Timeline

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
