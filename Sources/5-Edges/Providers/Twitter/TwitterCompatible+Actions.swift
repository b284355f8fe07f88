package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting
package import Timeline

/// Actions on posts through Twitter's v1.1 API. GNU social and Twitter refuse to repost or like a post a second time, so homeline looks at
/// each post first.
extension TwitterCompatible where Self: PostingProvider {
  package func lookRequest(at id: String) -> ClientRequest? {
    guard DecimalID.isDecimal(id) else { return nil }
    return addresses.endpoint("statuses/show/\(id).json").map { .get($0, query: []) }
  }

  package func look(from response: ProviderResponse, at id: String) -> PostLook {
    guard case .api = origin(of: response) else { return .unclear }
    if response.status == 404 || response.status == 410 { return .gone }
    guard response.status == 200, !Self.isError(response) else { return .unclear }
    let seen = try? object(in: response, expected: "a post") { cursor in try TwitterSeenPost(&cursor).seen }
    guard let seen, seen.identity.id == id else { return .unclear }
    return .seen(seen)
  }

  package func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ClientRequest? {
    guard DecimalID.isDecimal(id) else { return nil }
    let path: String
    var form: [Parameter] = []
    switch action.kind {
    case .delete: path = "statuses/destroy/\(id).json"
    case .repost: path = "statuses/\(action.isUndone ? "un" : "")retweet/\(id).json"
    case .like:
      path = "favorites/\(action.isUndone ? "destroy" : "create").json"
      form.append(Parameter("id", id))
    case .bookmark: return nil
    }
    return addresses.endpoint(path).map { .post($0, form: form) }
  }

  /// GNU social does not have `statuses/unretweet`; there, the user's own repost is deleted.
  package func actionRequest(_ action: PostAction, on post: SeenPost, by userID: String) -> ClientRequest? {
    if action.kind == .repost, action.isUndone, let repost = post.ownRepost, let deletion = PostAction(.delete) {
      return actionRequest(deletion, on: repost, by: userID)
    }
    return actionRequest(action, on: post.target(of: action), by: userID)
  }

  package func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry? {
    guard action.kind == .repost, !action.isUndone else { return nil }
    let status = try? object(in: response, expected: "a post") { cursor in try TwitterStatus(&cursor) }
    return status?.reposted == nil ? nil : status?.entry(permalink: permalink)
  }

  package func repostedID(in source: [UInt8]) -> String? {
    var cursor = JSONCursor(source)
    return (try? TwitterStatus(&cursor))?.reposted?.status.id
  }
}

/// A status object, or the parts of it that concern actions.
private struct TwitterSeenPost {
  private var textID: String?
  private var plainID: String?
  private var user = TwitterUser.unknown
  private var states: [PostAction.Kind: Bool] = [:]
  /// The id of the user's repost, which GNU social reports.
  private var repeatID: String?

  /// The reposted status.
  private final class Inner {
    let post: TwitterSeenPost
    init(_ post: TwitterSeenPost) { self.post = post }
  }

  private var original: Inner?

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id_str": textID = try cursor.lenientPostID() ?? textID
      case "id": plainID = try cursor.lenientPostID() ?? plainID
      case "user": user = try TwitterUser(&cursor).user
      case "retweeted_status":
        if try cursor.peek() == .object { original = Inner(try Self(&cursor)) } else { try cursor.skip() }
      // GNU social calls a repost a repeat.
      case "retweeted", "repeated": if let state = try cursor.lenientBoolean() { states[.repost] = state }
      case "repeated_id": repeatID = try cursor.lenientPostID() ?? repeatID
      case "favorited": if let state = try cursor.lenientBoolean() { states[.like] = state }
      default: try cursor.skip()
      }
    }
  }

  /// The post; `nil` without an id.
  var seen: SeenPost? {
    guard let identity else { return nil }
    let inner = original?.post
    return SeenPost(
      identity, reposting: inner?.identity, states: states.merging(inner?.states ?? [:]) { $0 || $1 },
      ownRepost: inner?.repeatID ?? repeatID)
  }

  private var identity: SeenPost.Identity? {
    (textID ?? plainID).map {
      SeenPost.Identity(
        id: $0, authorID: user.id.isEmpty ? nil : user.id, authorName: user.screenName.isEmpty ? nil : user.screenName)
    }
  }
}
