internal import Bytes
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Timeline

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
