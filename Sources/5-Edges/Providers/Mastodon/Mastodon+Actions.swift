package import HTTPClient
internal import JSON
package import Posting
package import Timeline

/// Actions on posts. Some Mastodon-compatible servers repost twice if asked twice, and moderators may delete other users' posts, so
/// homeline looks at each post first.
extension Mastodon {
  package func lookRequest(at id: String) -> ClientRequest? { postRequest(for: PostID(id)) }

  package func look(from response: ProviderResponse, at id: String) -> PostLook {
    if saysThatPostIsGone(response) { return .gone }
    guard response.status == 200, case .api = origin(of: response) else { return .unclear }
    let seen = try? read(response, .object, expected: "a post") { cursor in try MastodonSeenPost(&cursor).seen }
    guard let seen, MastodonID.isSame(seen.identity.id, id) else { return .unclear }
    return .seen(seen)
  }

  /// Returns whether the server reports that it does not have the requested post, or does not show it to this user.
  func saysThatPostIsGone(_ response: ProviderResponse) -> Bool {
    switch origin(of: response) {
    case .api: response.status == 404 || response.status == 410
    case .habit(let habit): habit.meaning == .noSuchPost
    case .between: false
    }
  }

  package func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ClientRequest? {
    guard Self.isPlainID(id) else { return nil }
    let verb: String
    switch action.kind {
    case .delete: return .delete(place.endpoint("/api/v1/statuses/\(id)"))
    case .repost: verb = "reblog"
    case .like: verb = "favourite"
    case .bookmark: verb = "bookmark"
    }
    return .post(place.endpoint("/api/v1/statuses/\(id)/\(action.isUndone ? "un" : "")\(verb)"))
  }

  /// Returns the repost or, after an undo, the original. On snac, the repost had taken the original's place in the timeline.
  package func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry? {
    guard action.kind == .repost else { return nil }
    let status = try? read(response, .object, expected: "a post") { cursor in try MastodonStatus(&cursor) }
    return (status?.inner[.boosted] == nil) == action.isUndone ? status?.entry() : nil
  }

  package func repostedID(in source: [UInt8]) -> String? {
    var cursor = JSONCursor(source)
    return (try? MastodonStatus(&cursor))?.inner[.boosted]?.id
  }
}
