package import HTTPClient
internal import JSON
package import Posting
package import Timeline

/// Actions on posts in X's v2 API. Looking at a post would cost as much as reading it, so X itself decides: it deletes only the user's own
/// posts, and treats reposts and bookmarks as states.
extension X {
  /// Recognises only that X does not have the post. The response to an action reports this too.
  package func look(from response: ProviderResponse, at id: String) -> PostLook {
    if response.status == 404, case .api = origin(of: response) { return .gone }
    return .unclear
  }

  package func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ClientRequest? {
    guard DecimalID.isDecimal(id), DecimalID.isDecimal(userID) else { return nil }
    let list: String
    switch action.kind {
    case .delete: return endpoint("/2/tweets/\(id)").map { .delete($0) }
    case .repost: list = "/2/users/\(userID)/retweets"
    case .bookmark: list = "/2/users/\(userID)/bookmarks"
    case .like: return nil
    }
    if action.isUndone { return endpoint("\(list)/\(id)").map { .delete($0) } }
    return endpoint(list).map { .post($0, json: Self.object { $0.member("tweet_id", id) }) }
  }

  /// Reads the state in a response such as `{"data":{"deleted":true}}`. The member can also be `retweeted` or `bookmarked`.
  package func confirms(_ action: PostAction, in response: ProviderResponse) -> Bool {
    let names: [PostAction.Kind: String] = [.delete: "deleted", .repost: "retweeted", .bookmark: "bookmarked"]
    let state = try? object(in: response, expected: "the result of an action") { cursor in
      var state: Bool?
      try cursor.members { cursor, name in
        guard name == "data" else {
          try cursor.skip()
          return
        }
        try cursor.lenientMembers { cursor, name in
          if name.text == names[action.kind] { state = try cursor.lenientFlag() } else { try cursor.skip() }
        }
      }
      return state
    }
    return state == !action.isUndone
  }

  /// Returns `nil`, because the response to a repost does not contain the repost.
  package func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry? { nil }

  package func repostedID(in source: [UInt8]) -> String? {
    var cursor = JSONCursor(source)
    var post: XPost?
    try? cursor.members { cursor, name in
      if name == "data" { post = try XPost(&cursor) } else { try cursor.skip() }
    }
    return post?.references[.reposted]
  }
}
