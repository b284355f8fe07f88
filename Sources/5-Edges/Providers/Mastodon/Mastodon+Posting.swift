internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting
internal import Time
package import Timeline

extension Mastodon: PostingProvider {
  /// Returns two requests; the second is for snac and for servers older than Mastodon 4.
  package func descriptionRequests() -> [ClientRequest] {
    ["/api/v2/instance", "/api/v1/instance"].map { .get(place.endpoint($0), query: []) }
  }

  package func postingRules(from response: ProviderResponse?) throws(ProviderFailure) -> PostingRules {
    guard let response else { throw .unreadable("The server's description is missing.") }
    let instance = try read(response, .object, expected: "a description of the server") { cursor in
      try MastodonInstance(&cursor)
    }
    return instance.rules(of: serverName)
  }

  package var apiScopes: APIScopes? { .mastodon }

  package func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ClientRequest {
    var form = [Parameter("status", draft.text)] + media.map { Parameter("media_ids[]", $0) }
    if let replyTo { form.append(Parameter("in_reply_to_id", replyTo)) }
    if let visibility = draft.visibility { form.append(Parameter("visibility", visibility.rawValue)) }
    if let warning = draft.warning { form.append(Parameter("spoiler_text", warning)) }
    if let language = draft.language { form.append(Parameter("language", language)) }
    guard let value = FieldValue(key.text) else { preconditionFailure("a key has digits and letters only") }
    return .post(place.endpoint("/api/v1/statuses"), form: form, headers: ["Idempotency-Key": value])
  }

  package func posted(
    from response: ProviderResponse, _ draft: PostDraft, in context: PostingContext
  ) -> PostedResponse {
    let status = try? read(response, .object, expected: "a post") { cursor in try MastodonStatus(&cursor) }
    if let status, let post = status.sentPost(in: response) {
      return judge(post, status.entry(), draft, context, at: response.receivedAt)
    }
    if let id = status?.bareID { return unproven("with an id only", named: id) }
    if response.status == 422, let failure = classify(response), failure.message.contains("not finished processing") {
      return PostedResponse(.postponed(failure.message, until: response.receivedAt + .seconds(10)))
    }
    if draft.replyTo != nil, saysThatPostIsGone(response) {
      return PostedResponse(.refused(unknownReplyTarget, coversEarlier: false))
    }
    // Mastodon and Pleroma look for the key before they validate the post.
    return failedPost(response, coversEarlier: response.status == 422)
  }

  package func ownPostsRequest(userID: String, after known: Set<String>?) -> ClientRequest? {
    guard Self.isPlainID(userID) else { return nil }
    return .get(
      place.endpoint("/api/v1/accounts/\(userID)/statuses"),
      query: [Parameter("limit", "\(ownPostsPage)"), Parameter("exclude_reblogs", "true")])
  }

  package func ownPosts(from response: ProviderResponse) throws(ProviderFailure) -> [SentPost] {
    try read(response, .array, expected: "the user's posts") { cursor in
      var posts: [SentPost] = []
      try cursor.pageElements { cursor in
        if let post = try MastodonStatus(&cursor).sentPost(in: response) { posts.append(post) }
      }
      return posts
    }
  }

  package func namedPostRequest(id: String) -> ClientRequest? { postRequest(for: PostID(id)) }

  package func namedPost(from response: ProviderResponse) -> SentPost? {
    let status = try? read(response, .object, expected: "a post") { cursor in try MastodonStatus(&cursor) }
    return status?.sentPost(in: response)
  }

  /// snac leaves posts for followers out of the user's own posts, and the user's default may be such a visibility.
  package func homeRequest(showing draft: PostDraft) -> ClientRequest? {
    switch draft.visibility {
    case .everyone, .unlisted: nil
    case .followers, .direct, nil: pageRequest(for: TimelineQuery(count: MastodonTimelines.pageSize))
    }
  }

  package func sentPost(in entry: Page.Entry, ahead: Duration) -> SentPost? {
    var cursor = JSONCursor(Array(entry.source))
    return (try? MastodonStatus(&cursor))?.sentPost { $0 - ahead }
  }
}

extension MastodonStatus {
  /// Returns the published post for comparison with the draft; `nil` if it is not complete, or is a boost.
  fileprivate func sentPost(in response: ProviderResponse) -> SentPost? { sentPost { response.local($0) } }

  /// Each post has a `content`. Accounts and notifications also have an id and a time.
  /// - Parameter local: converts a time on the server's clock to the local clock.
  fileprivate func sentPost(_ local: (Timestamp) -> Timestamp) -> SentPost? {
    guard let id, let createdAt, let content, inner[.boosted] == nil else { return nil }
    return SentPost(
      id: id, url: page, text: PlainHTML.text(content, omitting: nil, anchor: MastodonNames(mentions).shown),
      visibility: visibility.flatMap { PostVisibility(rawValue: $0) }, replyTo: repliedID,
      details: SentPost.Details(warning: warning ?? "", language: language, fileCount: media.count),
      authorID: account?.id, createdAt: local(createdAt))
  }

  /// The id in a response that shows too little of a post, and is neither an account nor a notification.
  fileprivate var bareID: String? { createdAt == nil && inner[.boosted] == nil ? id : nil }
}
